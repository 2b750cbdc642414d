"""`python -m mingpai` is the command line."""

from mingpai.cli.main import run

if __name__ == "__main__":
    run()
