"""The store: results as they come, once, and safe."""

import pytest
import sqlalchemy as sa

from borel.store import Store, StoreError, default_place

CONFIG = {"a": "x", "b": "y", "seed": 1}


def test_an_unfinished_run_is_continued_and_a_finished_one_is_not(tmp_path):
    place = tmp_path / "folder" / "arena.sqlite"
    with Store(place) as store:
        first = store.begin("match", CONFIG)
        first.add(1, {"imps": 2})
    with Store(place) as store:
        again = store.begin("match", CONFIG)
        assert again.id == first.id
        assert again.payloads() == {1: {"imps": 2}}
        again.finish({"mean": 2.0})
        assert store.begin("match", CONFIG).id != first.id


def test_runs_with_another_configuration_or_kind_are_other_runs():
    store = Store("none")
    ids = {store.begin("match", CONFIG).id, store.begin("match", CONFIG | {"seed": 2}).id}
    ids |= {store.begin("review", CONFIG).id, store.begin("match", CONFIG, fresh=True).id}
    assert len(ids) == 4


def test_nothing_is_stored_twice():
    run = Store("none").begin("match", CONFIG)
    assert run.add(7, {"imps": 1})
    assert not run.add(7, {"imps": 5})
    assert run.payloads() == {7: {"imps": 1}}


def test_history_has_the_finished_runs_in_order():
    store = Store("none")
    for seed in (3, 1, 2):
        run = store.begin("match", {"seed": seed})
        if seed != 1:
            run.finish({"mean": seed})
    assert [(info.config["seed"], info.summary["mean"]) for info in store.runs("match", finished=True)] == [
        (3, 3),
        (2, 2),
    ]
    assert len(store.runs()) == 3


def test_a_full_disk_is_said_in_one_line_and_loses_nothing(tmp_path):
    place = tmp_path / "arena.sqlite"
    with Store(place) as store:

        @sa.event.listens_for(store.engine, "checkout")
        def limit(connection, *_):
            connection.execute("PRAGMA max_page_count=12")

        run = store.begin("match", CONFIG)
        stored = 0

        def fill():
            nonlocal stored
            for number in range(1000):
                run.add(number, {"text": "x" * 500})
                stored += 1

        with pytest.raises(StoreError, match=r"full; free some space and give the same command again") as error:
            fill()
        assert "\n" not in str(error.value)
    assert stored > 3
    with Store(place) as store:
        assert len(store.begin("match", CONFIG).payloads()) == stored


@pytest.mark.parametrize(
    ("place", "message"),
    [("nosuchdatabase://x", "nosuchdatabase"), ("postgresql+nodriver://u:secret@h/d", "nodriver")],
)
def test_a_place_that_cannot_be_opened_is_said_without_its_password(place, message):
    with pytest.raises(StoreError, match=message) as error:
        Store(place)
    assert "secret" not in str(error.value)


def test_a_file_that_is_no_database_is_said(tmp_path):
    place = tmp_path / "notes.txt"
    place.write_text("Dear all, this is not a database. " * 100)
    with pytest.raises(StoreError, match=r"notes.txt: file is not a database"):
        Store(place)


def test_a_store_of_another_version_is_refused(tmp_path):
    with Store(tmp_path / "s") as store, store.writing() as connection:
        connection.execute(sa.text("UPDATE borel_schema SET version = 99"))
    with pytest.raises(StoreError, match="another version of Borel"):
        Store(tmp_path / "s")


def test_the_default_place_can_be_set(monkeypatch):
    monkeypatch.setenv("BOREL_STORE", "/somewhere/s.sqlite")
    assert default_place() == "/somewhere/s.sqlite"
    monkeypatch.delenv("BOREL_STORE")
    assert default_place().endswith("arena.sqlite")
