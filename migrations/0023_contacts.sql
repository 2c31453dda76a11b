-- contact_tags numbers in millions, as list_members does: no foreign keys, and no statistics of workspace_id.
create table tags (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index tags_name on tags (workspace_id, lower(name));
comment on table tags is 'Words a workspace puts on contacts.';

create table contact_tags (
  workspace_id bigint not null,
  tag_id bigint not null,
  contact_id bigint not null,
  primary key (workspace_id, tag_id, contact_id)
);
alter table contact_tags alter column workspace_id set statistics 0;
create index contact_tags_contact on contact_tags (workspace_id, contact_id);
comment on table contact_tags is 'Which contact has which tag. Rows of a removed tag are cleared away afterwards.';
