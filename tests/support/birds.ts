import type { Pool } from "pg";

/** A table and functions of every kind that the data API tells apart. They exist only in the database of a test. */
export async function addBirds(owner: Pool) {
  await owner.query(`
    create table public.birds (
      id         integer primary key,
      name       text not null,
      habitat    text default 'anywhere',
      wingspan   numeric(5, 2),
      seen_at    timestamptz,
      sings      boolean,
      "odd ""name" text
    );
    alter table public.birds enable row level security;
    revoke all on public.birds from public, anon, authenticated;
    grant select, insert on public.birds to anon, authenticated;
    create policy "anyone reads birds" on public.birds for select to anon, authenticated using (true);
    create policy "anyone adds birds" on public.birds for insert to anon, authenticated with check (name is distinct from 'forbidden');

    create function public.swallow_ghosts() returns trigger language plpgsql as $$
    begin
      if new.name = 'ghost' then return null; end if;
      if new.name = 'hurry' then raise exception 'Too fast.' using errcode = 'PT429', detail = 'd', hint = 'h'; end if;
      if new.name = 'broken' then raise exception 'Not readable.' using errcode = 'P0002'; end if;
      return new;
    end $$;
    create trigger swallow_ghosts before insert on public.birds for each row execute function public.swallow_ghosts();

    create function public.noargs() returns text language sql stable as $$ select 'nothing asked' $$;
    create function public.greet(name text, greeting text default 'Hello') returns text language sql stable
      as $$ select greeting || ', ' || name $$;
    create function public.birds_in(place text) returns setof public.birds language sql stable
      as $$ select * from public.birds where habitat = place $$;
    create function public.numbers(upto integer) returns setof integer language sql immutable
      as $$ select generate_series(1, upto) $$;
    create function public.spans() returns table (bird text, span numeric) language sql stable
      as $$ select name, wingspan from public.birds order by id $$;
    create function public.first_bird() returns public.birds language sql stable
      as $$ select * from public.birds order by id limit 1 $$;
    create function public.add_bird(id integer, name text) returns void language sql volatile
      as $$ insert into public.birds (id, name) values (id, name) $$;
    create function public.facts() returns json language sql stable
      as $$ select json_build_object('method', current_setting('request.method'),
                                     'path', current_setting('request.path'),
                                     'headers', current_setting('request.headers')::json,
                                     'claims', current_setting('request.jwt.claims')::json,
                                     'role', current_user, 'zone', current_setting('timezone')) $$;
    create function public.twice(a integer) returns integer language sql immutable as $$ select a * 2 $$;
    create function public.twice(a text) returns text language sql immutable as $$ select a || a $$;
    create function public.quietly_privileged() returns text language sql stable as $$ select 'secret' $$;
    revoke all on function public.quietly_privileged() from public, anon, authenticated;
  `);
}

export const birds = [
  { id: 1, name: "Heron", habitat: "lake", wingspan: 1.85, seen_at: "2025-11-20T23:51:07.123456+00:00", sings: false },
  { id: 2, name: "Robin", habitat: "garden", wingspan: 0.22, seen_at: "2025-11-21T06:00:00+02:00", sings: true },
  { id: 3, name: "Wren, small", habitat: "garden", wingspan: 0.15, seen_at: null, sings: true },
  { id: 4, name: 'The (so-called) "owl"', habitat: "wood", wingspan: null, seen_at: null, sings: null },
  { id: 5, name: "50%_crane", habitat: "lake", wingspan: 2.2, seen_at: "2025-01-01T00:00:00+00:00", sings: false },
] as const;

export async function fillBirds(owner: Pool) {
  await owner.query("truncate public.birds");
  await owner.query("insert into public.birds select * from json_populate_recordset(null::public.birds, $1)", [
    JSON.stringify(birds),
  ]);
}
