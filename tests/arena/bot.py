"""A program that speaks the engine protocol and fails as it is told: `bot.py [MODE [LOG]]`."""

import json
import sys
import time

mode = sys.argv[1] if len(sys.argv) > 1 else "good"
for line in sys.stdin:
    if len(sys.argv) > 2:
        with open(sys.argv[2], "a") as log:
            log.write(line)
    asked = json.loads(line)
    hcp = sum("JQKA".find(letter) + 1 for letter in asked["hand"])
    silent = all(call == "P" for call in asked["auction"])
    call = "1NT" if hcp >= 13 and silent else "P"
    if mode == "slow":
        time.sleep(0.03)
        call = "P"
    if hcp >= 17 or mode == "always":
        if mode == "die":
            sys.exit("out of ideas")
        if mode == "hang":
            time.sleep(100)
        if mode == "nonsense":
            print("1NT", flush=True)
            continue
        if mode == "illegal":
            call = "8S"
        if mode == "chatter":
            print('{"call":"P"}')
        if mode == "error":
            print('{"error":"no opinion"}', flush=True)
            continue
        if mode == "endless":
            sys.stdout.write("x" * 3_000_000)
            sys.stdout.flush()
            continue
    print(json.dumps({"call": call, "why": f"{hcp} points", "candidates": [{"call": call, "value": 1}, 7]}), flush=True)
