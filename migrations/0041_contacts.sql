create table import_files (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  file text not null,
  part integer not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, file, part)
);
-- The parts are compressed already.
alter table import_files alter column bytes set storage external;
comment on table import_files is 'Files of imports that have not ended, in parts: the process that imports one did not receive it.';
comment on column import_files.file is 'The file_path of its import.';
comment on column import_files.bytes is 'One MiB of the file, compressed (zstd).';
