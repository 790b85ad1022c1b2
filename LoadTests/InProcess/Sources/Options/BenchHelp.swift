/// What `--help` prints.
enum BenchHelp {
  static let text = """
    Measures Roost in process: objects in a context over one store file, no server.

    roost-bench [--count N | --curve] [--keys N] [--repeats N] [--only LIST] [--json]

      --count N      objects, each with 10 attributes, one of them unique (100,000)
      --curve        one run each with 1,000, 10,000, 100,000 and 1,000,000 objects
      --keys N       objects that are fetched one by one by their key (20,000)
      --repeats N    each on a store file of its own; the medians are shown (5)
      --seed N       the same values and keys again (1)
      --only LIST    measures, with commas; insert always runs, it makes the rows
                       insert      make the objects, insert them, save
                       fetch-two   fetch all in a new context, read two attributes of each
                       fetch-all   fetch all in a new context, read all attributes of each
                       release     let those objects and their context go
                       keys-fresh  fetch one by key, random keys, in a new context
                       keys-same   the same keys again, in the context that has their objects
                       upsert      insert as many with the same keys and other values, save
                       delete      delete all, save
      --side LIST    roost, sqlite or both (both): sqlite does the same with statements
                     prepared by hand, so that the ratio is what the object layer costs
      --folder PATH  where the store files are made and deleted again (the temporary folder)
      --json         one line of JSON for each run

    Durability is full: a save has returned when its commit is synced. Figures of others are quoted
    from their publication or an earlier measurement and not measured by this program.

    Exit code: 0 when every run was complete, 1 when one failed, 2 for a wrong call.

    """
}
