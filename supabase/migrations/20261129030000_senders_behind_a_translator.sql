-- A translator of IPv4 to IPv6 (NAT64, SIIT) gives all visitors with IPv4 addresses of one /64. Each is a sender of its own
-- (docs/protocol.md#sender-of-a-contact).

-- The network of the sender of this request: an IPv4 address or the /64 of an IPv6 address. Null if the headers do not
-- identify the sender.
create or replace function private.sender_network() returns cidr
language plpgsql stable set search_path = '' as $$
declare
  headers constant text := current_setting('request.headers', true);
  address inet;
begin
  -- On a hosted project a client can write the first entry of `x-forwarded-for`, but not `cf-connecting-ip`, which the
  -- proxy of the platform sets. Our own server never passes `cf-connecting-ip`, and passes an address that it has
  -- parsed (docs/protocol.md#sender-of-a-contact). Reading one header parses all, so the first is read only if its name
  -- is there. `host` removes a network mask.
  address := host(btrim(split_part(coalesce(
    case when strpos(headers, '"cf-connecting-ip"') > 0 then headers::json ->> 'cf-connecting-ip' end,
    headers::json ->> 'x-forwarded-for'
  ), ',', 1))::inet);

  -- A socket for both protocols reports IPv4 addresses in the first form; the others are of translators (RFC 6052,
  -- RFC 8215). The last four bytes are the IPv4 address.
  if address <<= any (array['::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48']::inet[]) then
    address := inet '0.0.0.0' + ((address & inet '::ffff:ffff') - inet '::');
  end if;

  -- Local and private addresses. A request from the public internet with such an address came through a proxy that does
  -- not name the client, so the address would make one sender of all visitors.
  if address <<= any (array[
    '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16',
    '::/127', 'fc00::/7', 'fe80::/10'
  ]::inet[]) then
    return null;
  end if;
  return network(set_masklen(address, case family(address) when 4 then 32 else 64 end));
exception when others then
  -- An unreadable header must not refuse the contact.
  return null;
end
$$;
