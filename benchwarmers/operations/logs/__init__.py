"""The page of logs: what was asked, what changed, what the schedule ran, who was taken on. One filter for all."""
