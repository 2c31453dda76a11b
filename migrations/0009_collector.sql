-- Collecting addresses and numbers from public pages.
create table collector_jobs (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  kind text not null check (kind in ('email', 'phone')),
  -- What was asked for: the first addresses, limits, paths, country. All addresses are pages of depth 0.
  settings jsonb not null,
  -- The hosts of the addresses, and the sites (registrable domains, else host and port) they belong to: a site is one process's.
  hosts text[] not null,
  sites text[] not null,
  url_count integer not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'paused', 'done', 'stopped', 'failed')),
  state_text text not null default '',
  pages_fetched integer not null default 0,
  pages_queued integer not null default 0,
  found integer not null default 0,
  -- Hosts that turned out to forbid collecting, with their words.
  forgotten jsonb not null default '[]',
  skipped jsonb not null default '{}',
  -- The run that crawls it, and until when it counts as alive. It keeps both until it has let go, also of a job that was paused.
  worker text,
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index collector_jobs_newest on collector_jobs (workspace_id, id desc);
create index collector_jobs_open on collector_jobs (id) where state in ('queued', 'running');
create index collector_jobs_leased on collector_jobs (leased_until) where leased_until is not null;

-- The frontier: every address a job knows of, once, by the hash of its canonical form. It is what a killed process goes on from.
create table collector_pages (
  id bigint generated always as identity,
  workspace_id bigint not null,
  job_id bigint not null,
  url_hash bytea not null,
  url text not null,
  depth integer not null,
  priority smallint not null,
  -- The order to ask in: pages that name contacts first, and the hosts of a job by turns (collector/frontier.ts).
  turn integer not null,
  state text not null default 'queued' check (state in ('queued', 'fetched', 'skipped')),
  reason text not null default '',
  reason_text text not null default '',
  content_hash bytea,
  at timestamptz not null default now(),
  primary key (job_id, id)
);
create unique index collector_pages_url on collector_pages (job_id, url_hash);
create index collector_pages_next on collector_pages (job_id, turn, id) where state = 'queued';
create index collector_pages_skipped on collector_pages (job_id, id) where state = 'skipped';
alter table collector_pages alter column workspace_id set statistics 0;

-- What was found, each value once a job, on the page that says most about it.
create sequence collector_revision;
create table collector_results (
  id bigint generated always as identity,
  workspace_id bigint not null,
  job_id bigint not null,
  value text not null,
  source_url text not null,
  page_title text not null default '',
  context text not null default '',
  method text not null,
  confidence real not null,
  person_name text not null default '',
  organisation text not null default '',
  mx text not null default 'unknown' check (mx in ('yes', 'no', 'unknown')),
  is_disposable boolean not null default false,
  is_role boolean not null default false,
  is_free boolean not null default false,
  type text,
  country text,
  list_id bigint,
  found_at timestamptz not null default now(),
  -- What a search looks through, once in lower case instead of at each look.
  search text generated always as (lower(value || ' ' || person_name || ' ' || organisation || ' ' || source_url)) stored,
  -- Grows with each change of a row: who watches reads what is beyond the last one seen.
  revision bigint not null default nextval('collector_revision'),
  primary key (job_id, id)
);
create unique index collector_results_value on collector_results (job_id, lower(value));
create index collector_results_confidence on collector_results (job_id, confidence, id);
create index collector_results_source on collector_results (job_id, source_url, id);
create index collector_results_revision on collector_results (job_id, revision);
alter table collector_results alter column workspace_id set statistics 0;

-- Where a collected contact comes from and why it may be written to. Never changed, only added to (GDPR art. 14, art. 5 (2)).
create table contact_origins (
  id bigint generated always as identity,
  workspace_id bigint not null,
  contact_id bigint not null,
  source_url text not null,
  found_at timestamptz not null,
  job_id bigint,
  evidence text not null default '',
  -- Null: nobody said yet why it may be written to, so no campaign does.
  basis text check (basis in ('consent', 'customer', 'legitimate_interest')),
  basis_note text not null default '',
  added_by bigint,
  at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index contact_origins_contact on contact_origins (workspace_id, contact_id, id);
alter table contact_origins alter column workspace_id set statistics 0;

-- Which campaigns tell a collected contact where his address was found: until one of them has been sent, each does (GDPR art. 14 (3) (b)).
create table told_origins (
  workspace_id bigint not null,
  contact_id bigint not null,
  campaign_id bigint not null,
  primary key (workspace_id, contact_id, campaign_id)
);
alter table told_origins alter column workspace_id set statistics 0;
alter table campaigns add column tells_origins boolean not null default false;
