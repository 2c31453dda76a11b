-- A removed field stays as a row, so that segments over it can say so, until its name is used again.
create table contact_fields (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  label text not null,
  type text not null default 'text' check (type in ('text', 'number', 'date', 'boolean', 'choice')),
  choices jsonb not null default '[]',
  default_value text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (workspace_id, id)
);
create unique index contact_fields_name on contact_fields (workspace_id, name);
comment on table contact_fields is 'What is known of the custom fields of contacts: label, type, choices, default.';

-- What contacts have already is text until somebody says otherwise.
insert into contact_fields (workspace_id, name, label)
select workspace_id, name, name from (
  select workspace_id, name, row_number() over (partition by workspace_id order by name) as place
  from (select distinct workspace_id, jsonb_object_keys(attributes) as name from contacts) used
  where name not in ('first_name', 'last_name')
) known where place <= 200;
