"""Reports: functions from the records of a run to text."""
