-- Opens and clicks of campaigns that track totals alone (docs/decisions/0094-tracking-of-totals-alone.md).
create table campaign_totals (
  workspace_id bigint not null,
  campaign_id bigint not null,
  dimension text not null,
  number bigint not null,
  total bigint not null,
  primary key (workspace_id, campaign_id, dimension, number),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
alter table campaign_totals alter column workspace_id set statistics 0;
comment on table campaign_totals is
  'Requests for the pixel and the links of campaigns whose emails say nothing of their recipients. A request adds to rows that are there: at most three new ones an hour.';
comment on column campaign_totals.dimension is 'As in event_counts: open, click, link, hour-open, and their machine forms.';
comment on column campaign_totals.number is 'The link, or the hour since 1970; otherwise 0.';
