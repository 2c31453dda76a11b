create table dmarc_reports (
  id bigint generated always as identity,
  workspace_id bigint not null,
  domain_id bigint not null,
  reporter text not null,
  report_id text not null,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, domain_id, reporter, report_id),
  foreign key (workspace_id, domain_id) references sending_domains (workspace_id, id) on delete cascade
);
create index dmarc_reports_ends on dmarc_reports (ends_at);
comment on table dmarc_reports is 'DMARC aggregate reports about sending domains, as receivers sent them; deleted after 180 days.';
comment on column dmarc_reports.reporter is 'Who reports, by its own name: nobody vouches for it.';

create table dmarc_rows (
  id bigint generated always as identity,
  workspace_id bigint not null,
  report_id bigint not null,
  source_ip text not null,
  header_from text not null,
  messages bigint not null,
  spf_aligned boolean not null,
  dkim_aligned boolean not null,
  disposition text not null check (disposition in ('none', 'quarantine', 'reject')),
  is_ours boolean not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, report_id) references dmarc_reports (workspace_id, id) on delete cascade
);
create index dmarc_rows_report on dmarc_rows (workspace_id, report_id);
comment on table dmarc_rows is 'Emails of one address that a DMARC report judged alike.';
comment on column dmarc_rows.is_ours is 'They carried a valid signature of one of the domain''s DKIM keys here.';
