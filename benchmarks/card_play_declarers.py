def main(words):
    raise SystemExit("later")


times = lessons = main
