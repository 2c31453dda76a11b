-- Versions of templates get a name, under which they are kept apart from the last twenty.
alter table template_versions add column label text not null default '';

comment on column template_versions.label is 'what its author calls this version; empty until it is named';
