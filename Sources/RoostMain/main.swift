import RoostCLI

Program.main()
