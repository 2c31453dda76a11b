alter table lists add column description text not null default '';
alter table lists add column is_public boolean not null default false;
comment on column lists.description is 'What people read of it on their preference page.';
comment on column lists.is_public is 'Offered on the preference page to contacts who are not on it; who is on a list always sees it there.';

alter table contacts add column paused_until timestamptz;
alter table contacts add column weekly_limit smallint check (weekly_limit > 0);
comment on column contacts.paused_until is 'Until when the person wants no campaign emails; null or past: they do.';
comment on column contacts.weekly_limit is 'How many campaign emails in seven days the person wants at most; null: any number.';

-- preference_changes say what people changed on their preference page; like contacts they carry no foreign keys.
create table preference_changes (
  id bigint generated always as identity,
  workspace_id bigint not null,
  contact_id bigint not null,
  kind text not null check (kind in ('list_joined', 'list_left', 'unsubscribed', 'resubscribed', 'whatsapp_off', 'whatsapp_on',
    'paused', 'weekly', 'all_emails', 'data_requested', 'data_read', 'erasure_requested')),
  detail text not null default '',
  campaign_id bigint,
  ip text not null default '',
  user_agent text not null default '',
  at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index preference_changes_contact on preference_changes (workspace_id, contact_id);
comment on table preference_changes is 'What contacts changed themselves on their preference page, with when and from where: the evidence.';
comment on column preference_changes.detail is 'The name of a list, or the day a pause ends.';
comment on column preference_changes.campaign_id is 'The campaign whose link led to the page.';

alter table confirmations drop constraint confirmations_source_check;
alter table confirmations add constraint confirmations_source_check check (source in ('member', 'blog', 'form', 'preferences'));

-- A link in an email to a contact that was merged leads to the one that stayed, for as long as that one is there.
create index contact_merges_other on contact_merges (workspace_id, ((other->>'id')::bigint));
comment on table contact_merges is
  'Contacts that were merged into others. After 30 days only the ids stay, so that old links still find the contact.';
