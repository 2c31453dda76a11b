-- Neither has a foreign key to what it names: a list or segment that is deleted stays named here, so that a campaign which
-- lost it is refused until it is edited, and goes to nobody it was to omit.
create table campaign_segments (
  workspace_id bigint not null,
  campaign_id bigint not null,
  segment_id bigint not null,
  excluded boolean not null,
  primary key (workspace_id, campaign_id, excluded, segment_id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
comment on table campaign_segments is 'The segments a campaign is sent to, and those it is not sent to.';

create table campaign_excluded_lists (
  workspace_id bigint not null,
  campaign_id bigint not null,
  list_id bigint not null,
  primary key (workspace_id, campaign_id, list_id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
comment on table campaign_excluded_lists is 'The lists whose members a campaign is not sent to.';

alter table messages add column by_segment boolean not null default false;
comment on column messages.by_segment is 'A segment alone brought the recipient: no list of the campaign has to hold them.';
