-- Who joined a list, or got a tag, since a moment. Tags that contacts had before have no time.
create index list_members_joined on list_members (workspace_id, list_id, at) where status = 'confirmed';
alter table contact_tags add column at timestamptz;
alter table contact_tags alter column at set default now();
create index contact_tags_at on contact_tags (workspace_id, tag_id, at) where at is not null;
comment on column contact_tags.at is 'When the contact got the tag; null: before this was stored, or it got back what it had.';
