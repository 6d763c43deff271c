# The tasks of a working day. `just init` once; then `just lint test`.

init:
    pip install -e '.[test,docs,plots]' --no-build-isolation || pip install '.[test,docs,plots]'

test *args:
    pytest {{args}}

slow:
    pytest -m slow

lint:
    ruff check .
    ruff format --check .
    mypy

format:
    ruff check --fix .
    ruff format .

docs:
    python docs/generate.py
    mkdocs serve

ci:
    .ci/run
