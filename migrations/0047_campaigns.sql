alter table campaigns add column link_tags jsonb not null default '[]';
create index campaigns_link_tags on campaigns (workspace_id) where link_tags <> '[]';
comment on column campaigns.link_tags is
  'Tags that people get who click a link: a list of url and tags (ids). Tags that were deleted stay named and are skipped.';
