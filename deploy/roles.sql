-- The two roles of docs/books.md, "one role owns, another serves", for the composed installation. Runs at each start of it, as
-- the superuser; also turns the books of an older one, where the superuser did everything, into hiram_owner's.
\set ON_ERROR_STOP on
select format('create role %I login', name) from (values ('hiram_owner'), ('hiram_server')) as roles (name)
  where not exists (select from pg_roles where rolname = name) \gexec
alter role hiram_owner password :'owner_password';
alter role hiram_server password :'server_password';
alter database hiram owner to hiram_owner;

select format('alter schema %I owner to hiram_owner', nspname) from pg_namespace
  where nspowner = current_user::regrole and nspname !~ '^pg_' and nspname <> 'information_schema' \gexec
-- A sequence that belongs to a column follows its table.
select format('alter %s %s owner to hiram_owner',
    case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, c.oid::regclass)
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where relowner = current_user::regrole and relkind in ('r', 'p', 'v', 'm', 'S')
    and nspname !~ '^pg_' and nspname <> 'information_schema'
    and not exists (select from pg_depend d where d.objid = c.oid and relkind = 'S' and deptype in ('a', 'i')) \gexec
select format('alter routine %s owner to hiram_owner', p.oid::regprocedure)
  from pg_proc p join pg_namespace n on n.oid = pronamespace
  where proowner = current_user::regrole and nspname !~ '^pg_' and nspname <> 'information_schema' \gexec
select format('alter type %s owner to hiram_owner', t.oid::regtype)
  from pg_type t join pg_namespace n on n.oid = typnamespace
  where typowner = current_user::regrole and typtype in ('e', 'd') and nspname !~ '^pg_' and nspname <> 'information_schema' \gexec
