@rem The scripts of package.json begin with `exec`, so that a signal to npm reaches the program. Windows has no such
@rem command, and looks for one in this folder.
@%*
