-- How the columns of a file write dates, by column name, and how many of them could not be read.
alter table imports add column date_formats jsonb not null default '{}', add column invalid_dates bigint not null default 0;
comment on table import_errors is 'Rows of a file that were not imported, or without a date, with the reason.';
