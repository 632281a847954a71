"""The command line. A package, so that its files may have the names of files in other folders."""
