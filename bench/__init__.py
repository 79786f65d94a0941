"""What the gateway adds, measured beside the least that could do the same: one fake upstream, one cheap client, minimal
servers, the gateway itself, all in one interleaved run. No part of the product; see docs/performance.md."""
