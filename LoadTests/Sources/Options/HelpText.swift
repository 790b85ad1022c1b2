/// What `--help` prints.
enum HelpText {
  static let text = """
    Loads a Roost server and tells how fast it answers.

    roost-load URL [--mix get=90,write=10] [--connections N] [--depth N] [--duration SECONDS]
               [--rate N] [--json] [--report FILE.html]
    roost-load --compare A.json B.json [--report FILE.html]

      URL                 roost://HOST:PORT of the server
      --mix OP=WEIGHT,…   what requests do; weights need not add up to 100 (get=1)
                            get    one row by identifier
                            fetch  a page of rows in order, from a random one on
                            batch  many rows by their identifiers
                            lookup one row by its unique constraint
                            slow   a page whose reader takes it slowly
                            count  the rows in a range of identifiers
                            write  one attribute of one row gets the value another row has;
                                   at the end every changed row gets its own value back
                            upsert, insert, delete
                                   rows of the run's own, which it checks and deletes at the end
                            churn  a connection is made, asked for an echo and closed
                            echo   bytes there and back
                            stats  the server's figures with all sections, as monitors ask
      --scenario FILE     options, rates over time, data, imports beside and thresholds from a
                          JSON file; options of the command line override it
      --keys NAME         which rows: uniform, zipf or latest, with an exponent like zipf:0.99
      --batch-keys N      rows of one batch (100)
      --threshold RULE    such as "get.p99 < 5ms", "errors == 0", "throughput >= 10000"; may be
                          given several times; exit code 1 when one is missed
      --entity NAME       the entity to work on (the one with most rows)
      --connections N     connections, spread over the threads (50)
      --depth N           requests under way on each connection (1; 16 with --rate)
      --search RULE       finds the highest rate that holds a rule such as "p99<5ms": each step is
                          a run of --duration with its warm-up, the last one tries the rate twice
      --rate N            open loop: N requests per second, latency counted from the planned
                          moment; without it a closed loop, which sends when an answer came
      --duration SECONDS  how long to measure (10)
      --warmup SECONDS    how long to run before that, not measured (2)
      --interval SECONDS  intervals of the time series in the result (1)
      --timeout SECONDS   deadline of each request (30)
      --threads N         threads of the generator (half of the processors)
      --fetch-rows N      rows of a page of fetch (100)
      --echo-bytes N      payload of echo (64)
      --seed N            the same requests again (1)
      --measuring-file FILE
                          made when the measuring begins, for scripts that start something then
      --keep-writes       leave what writes changed
      --report FILE.html  the result as a page with plots that needs no other file
      --compare A.json B.json
                          two results of --json side by side; with --report over one another
      --json              the result as JSON; the last line of stdout is the summary

    Exit code: 0 when every request succeeded and every threshold holds, else 1 (thresholds that
    speak of errors decide on them alone), 2 for a wrong call,
    3 when the server cannot be reached.

    """
}
