-- No statistics about how often a workspace occurs. With them, the planner takes a workspace it has not seen yet for one
-- row, and then reads all its rows through the first index that begins with it, once for each address looked up. Without
-- them it takes every workspace for a part of the table, and the index that also holds the address or id wins.
alter table contacts alter column workspace_id set statistics 0;
alter table list_members alter column workspace_id set statistics 0;
alter table messages alter column workspace_id set statistics 0;
alter table events alter column workspace_id set statistics 0;
alter table suppressions alter column workspace_id set statistics 0;
