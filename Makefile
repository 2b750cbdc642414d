PYTHON ?= python3

.PHONY: run test verify wheel check sanitize clean
run:      ; $(PYTHON) bootstrap.py run
test:     ; $(PYTHON) bootstrap.py test
verify:   ; $(PYTHON) bootstrap.py verify
wheel:    ; $(PYTHON) bootstrap.py wheel
# Static checks, in the environment that `make test` made.
check:    ; .venv/bin/python tools/check.py
# The native-heavy tests under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer; logs in verify/.
sanitize: ; .venv/bin/python tools/sanitize.py
clean:    ; rm -rf build dist .venv
