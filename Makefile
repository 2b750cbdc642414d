PYTHON ?= python3

.PHONY: run test verify wheel check papers docs sanitize clean
run:      ; $(PYTHON) bootstrap.py run
test:     ; $(PYTHON) bootstrap.py test
verify:   ; $(PYTHON) bootstrap.py verify
wheel:    ; $(PYTHON) bootstrap.py wheel
# Static checks, in the environment that `make test` made.
check:    ; .venv/bin/python tools/check.py
# Every table and figure of the papers, few deals and wide intervals: `python experiments/reproduce.py list` has all sizes.
papers:   ; .venv/bin/python experiments/reproduce.py run all --quick
# The site in site/ (English) and site/zh (Chinese), to be read without a server.
docs:     ; $(PYTHON) bootstrap.py docs
# The native-heavy tests under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer; logs in verify/.
sanitize: ; .venv/bin/python tools/sanitize.py
clean:    ; rm -rf build dist .venv
