alter table contact_jobs add column undoes bigint;
create unique index contact_jobs_undoes on contact_jobs (workspace_id, undoes) where undoes is not null;
comment on column contact_jobs.undoes is 'The change that this one undoes.';

create table contact_job_slices (
  workspace_id bigint not null,
  job_id bigint not null,
  below bigint not null,
  changes jsonb not null,
  at timestamptz not null default now(),
  primary key (workspace_id, job_id, below),
  foreign key (workspace_id, job_id) references contact_jobs (workspace_id, id) on delete cascade
);
create index contact_job_slices_at on contact_job_slices (at);
comment on table contact_job_slices is 'What changes of many contacts did in the last day, by which they are undone.';
comment on column contact_job_slices.below is 'The smallest id of the contacts that were looked at together.';
comment on column contact_job_slices.changes is 'What was there before, by the id of each contact that was changed.';
