-- Like contact_tags without foreign keys: it goes with its contact, and with its tag.
create table tag_clicks (
  id bigint generated always as identity,
  workspace_id bigint not null,
  campaign_id bigint not null,
  contact_id bigint not null,
  tag_id bigint not null,
  url text not null,
  at timestamptz not null,
  primary key (workspace_id, campaign_id, contact_id, tag_id)
);
alter table tag_clicks alter column workspace_id set statistics 0;
create index tag_clicks_contact on tag_clicks (workspace_id, contact_id);
create index tag_clicks_tag on tag_clicks (workspace_id, tag_id);
comment on table tag_clicks is
  'Tags that clicks added, once for each campaign: a tag that was taken off again is not added by the same click.';

create table tag_click_cursors (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  event_id bigint not null
);
comment on table tag_click_cursors is 'The event up to which the clicks of a workspace certainly are applied.';
