"""When which kind of work is due: pure in `due`, taken and asked for in `enqueue`. See docs/design/jobs.md."""
