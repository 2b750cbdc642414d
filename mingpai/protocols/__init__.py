"""What other programs speak: each adapter turns their messages into views and our decisions into their answers."""
