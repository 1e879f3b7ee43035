"""One module of the package at a time, and the project on itself."""
