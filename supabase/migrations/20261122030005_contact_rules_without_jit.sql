-- Up to PostgreSQL 17, `enable_seqscan = off` makes the plan that reads the one row of `private.sender_key` look so
-- expensive that PostgreSQL compiles it (JIT) for each contact, which takes 45 ms and not 0.7 ms. Contacts of one sender
-- then wait so long for each other that they are refused, and the limits count too few.
alter function private.limit_contacts() set jit = off;
