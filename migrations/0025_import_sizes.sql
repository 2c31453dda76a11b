-- Bytes of the file of an import: what waits in a workspace is bounded.
alter table imports add column file_size bigint not null default 0;
