-- confirmations hold what people were asked and what they confirmed; like contacts they carry no foreign keys.
create table confirmations (
  id bigint generated always as identity,
  workspace_id bigint not null,
  list_ids bigint[] not null,
  contact_id bigint,
  email text not null,
  email_key text not null,
  fields jsonb not null default '{}',
  source text not null check (source in ('member', 'blog', 'form')),
  form_id bigint,
  wording text not null default '',
  wording_version integer not null default 1,
  requested_at timestamptz not null default now(),
  requested_ip text,
  requested_user_agent text,
  next_mail text check (next_mail in ('first', 'reminder')),
  due_at timestamptz,
  handing_at timestamptz,
  tries smallint not null default 0,
  mails smallint not null default 0,
  sent_at timestamptz,
  problem text not null default '',
  expires_at timestamptz,
  confirmed_at timestamptz,
  confirmed_ip text,
  confirmed_user_agent text,
  primary key (workspace_id, id),
  check ((next_mail is null) = (due_at is null))
);
alter table confirmations alter column workspace_id set statistics 0;
create index confirmations_due on confirmations (due_at) where due_at is not null;
create index confirmations_handing on confirmations (handing_at) where handing_at is not null;
create index confirmations_contact on confirmations (workspace_id, contact_id) where contact_id is not null;
create index confirmations_email on confirmations (workspace_id, email_key);
create index confirmations_unconfirmed on confirmations (requested_at) where confirmed_at is null;
comment on table confirmations is
  'Requests to confirm a subscription by email, and the evidence that people did (docs/decisions/0062-confirmations-and-forms.md).';
comment on column confirmations.contact_id is 'null: the person asked for it themselves and is no contact until they confirm.';
comment on column confirmations.fields is 'What the person typed into a form: name, attributes, tags of the form.';
comment on column confirmations.source is 'member: the workspace put a contact on the list.';
comment on column confirmations.wording is 'What the person agreed to, as they read it.';
comment on column confirmations.next_mail is 'Which email is to be sent at due_at; null: none.';
comment on column confirmations.handing_at is
  'Since when an email is handed to a mail server; if the process ends, nobody knows whether it arrived, and it is not sent again.';
comment on column confirmations.problem is 'Why the last email could not be sent.';
comment on column confirmations.expires_at is '14 days after the first email; null: none was sent yet.';

alter table lists add column confirmation_template_id bigint;
comment on column lists.confirmation_template_id is 'The template of its confirmation emails; null: the default email.';

alter table list_members add column import_id bigint;
comment on column list_members.import_id is 'The import that said they had agreed before: its evidence is theirs.';

alter table imports add column agreed jsonb;
comment on column imports.agreed is
  'evidence and recordedBy: how the people of the file agreed to the list before; null: a double opt-in list asks them.';

create table forms (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  slug text not null,
  heading text not null default '',
  description text not null default '',
  button text not null default 'Subscribe',
  fields jsonb not null default '[]',
  list_ids bigint[] not null,
  tag_ids bigint[] not null default '{}',
  optin text not null default 'double' check (optin in ('single', 'double')),
  consent_wording text not null default '',
  wording_version integer not null default 1,
  success_text text not null default '',
  redirect_url text,
  allowed_origins text[] not null default '{}',
  views bigint not null default 0,
  submissions bigint not null default 0,
  confirmations bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- Not unique, because of installations with Citus: who takes a slug holds a lock on it (docs/citus.md).
create index forms_slug on forms (slug);
comment on table forms is 'Sign-up forms, hosted at /f/{slug}.';
comment on column forms.fields is 'What is asked beside the email address: name, label, required; attributes.x is a custom field.';
comment on column forms.wording_version is 'One more whenever the wording of the consent changes; each consent stores both.';
comment on column forms.allowed_origins is 'Sites whose scripts may post the form.';
comment on column forms.submissions is 'Valid submissions, also of people who are subscribed already.';
