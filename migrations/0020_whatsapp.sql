create table whatsapp_saved_replies (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index whatsapp_saved_replies_name on whatsapp_saved_replies (workspace_id, lower(name));
comment on table whatsapp_saved_replies is 'Texts that a workspace writes often in its inbox.';
comment on column whatsapp_saved_replies.name is 'What it is found by after a slash, such as "opening hours".';
comment on column whatsapp_saved_replies.text is 'May hold variables such as {{first_name}}, which are filled in when it is inserted.';
