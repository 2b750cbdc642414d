"""ABL-GD (paper 002): an abductive Guandan agent. Estimates hands, predicts pseudo-actions, reasons out the play."""
