"""The pictures of the page of benchmarks, one a module: each makes a figure of what it is given. Pure."""
