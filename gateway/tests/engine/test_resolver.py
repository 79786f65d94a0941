"""Where a connection may lead: judged at the moment it is made, by the addresses it is made to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from gateway.canon.fault import NotSent, Unreachable, UpstreamFault
from gateway.engine.resolver import AddressRefused, CheckedResolver, literal_problem
from gateway.engine.transport import Transport
from gateway.tests.engine.upstream import ANSWER, upstream

METADATA = "169.254.169.254"


class Names(AbstractResolver):
    """Answers each look-up with the next of the given lists of addresses, and the last one for ever; knows no name when
    none is given."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        self.asked.append(host)
        if not self.answers:
            raise OSError("no such name")
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [
            ResolveResult(
                hostname=host,
                host=one,
                port=port,
                family=socket.AF_INET6 if ":" in one else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for one in found
        ]

    async def close(self) -> None:
        """Nothing is held."""


@asynccontextmanager
async def opened(names: Names, *, allow_private: bool = False) -> AsyncIterator[Transport]:
    transport = Transport(allow_private=allow_private, resolver=names)
    yield transport
    await transport.close()


async def ask(transport: Transport, url: str, *, private: bool) -> int:
    async with transport.post(url, {}, b"{}", private=private) as answer:
        assert [chunk async for chunk in answer.chunks()]
        return answer.status


async def fault_of(transport: Transport, url: str, *, private: bool = False) -> UpstreamFault:
    with pytest.raises(UpstreamFault) as caught:
        await ask(transport, url, private=private)
    return caught.value


PUBLIC = ["93.184.215.14", "2606:2800:21f:cb07::1"]
LOCAL = ["127.0.0.1"]
IN_HOUSE = ["10.1.2.3", "192.168.0.9", "172.16.3.4", "100.64.0.1", "fd12::1", "0.0.0.0", "::", "fec0::1"]
WRAPPED_IN_HOUSE = ["::ffff:10.1.2.3", "64:ff9b::a01:203", "64:ff9b:1::a01:203", "2002:a01:203::1", "::10.1.2.3"]
NEVER = [METADATA, "fe80::1%eth0", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "fd00:ec2::254"]
TEREDO_TO_METADATA = "2001:0:5ef5:79fb:0:0:5601:5601"


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("found", [[one] for one in [*NEVER, TEREDO_TO_METADATA]] + [[*PUBLIC, METADATA]])
async def test_a_name_that_leads_to_metadata_in_any_form_is_refused_for_every_kind(
    found: list[str], private: bool
) -> None:
    resolver = CheckedResolver(private=private, inner=Names(found))
    with pytest.raises(AddressRefused, match="leads to a link-local or cloud metadata address") as caught:
        await resolver.resolve("name.example", 80)
    assert not any(one in str(caught.value) for one in found)


@pytest.mark.parametrize("address", [*IN_HOUSE, *WRAPPED_IN_HOUSE, *LOCAL, "::1", "224.0.0.1", "240.0.0.1"])
async def test_a_name_that_leads_into_the_house_is_for_endpoints_of_the_house(address: str) -> None:
    found = [*PUBLIC, address]
    with pytest.raises(AddressRefused, match="only endpoints of kind local or hub") as caught:
        await CheckedResolver(private=False, inner=Names(found)).resolve("name.example", 80)
    assert address not in str(caught.value)
    assert len(await CheckedResolver(private=True, inner=Names(found)).resolve("name.example", 80)) == 3


@pytest.mark.parametrize(
    ("host", "found", "passes"),
    [
        ("api.example", PUBLIC, True),
        ("localhost", ["127.0.0.1", "::1"], True),
        ("box.localhost", ["127.0.0.1"], True),
        ("localhost", ["10.1.2.3"], False),
        ("localhost.example", ["127.0.0.1"], False),
        ("localtest.example", ["::ffff:127.0.0.1"], False),
    ],
)
async def test_only_this_machines_own_names_may_lead_to_it(host: str, found: list[str], passes: bool) -> None:
    resolver = CheckedResolver(private=False, inner=Names(found))
    if passes:
        assert len(await resolver.resolve(host, 80)) == len(found)
    else:
        with pytest.raises(AddressRefused):
            await resolver.resolve(host, 80)


@pytest.mark.parametrize(
    ("host", "public", "private"),
    [
        ("93.184.215.14", True, True),
        ("2606:2800:21f:cb07::1", True, True),
        ("127.0.0.1", True, True),
        ("127.8.9.10", True, True),
        ("::1", True, True),
        ("::ffff:127.0.0.1", True, True),
        ("10.1.2.3", False, True),
        ("167837955", False, True),
        ("fd12::1", False, True),
        ("::ffff:a01:203", False, True),
        (METADATA, False, False),
        ("2852039166", False, False),
        ("0xa9fea9fe", False, False),
        ("0251.0376.0251.0376", False, False),
        ("::ffff:a9fe:a9fe", False, False),
        ("fe80::1", False, False),
        ("metadata.google.internal", False, False),
        ("name.example", True, True),
    ],
)
def test_a_host_that_is_an_address_is_judged_without_a_look_up(host: str, public: bool, private: bool) -> None:
    assert (not literal_problem(host, False), not literal_problem(host, True)) == (public, private)


async def test_a_name_that_moves_to_metadata_between_two_connections_is_refused_at_the_second() -> None:
    names = Names(LOCAL, [METADATA])
    async with upstream(ANSWER) as provider, opened(names) as transport:
        base = provider.base.replace("127.0.0.1", "model.example")
        assert await ask(transport, base, private=True) == 200
        assert await ask(transport, base, private=True) == 200
        assert (provider.connections, names.asked) == (1, ["model.example"])  # a warm connection asks for no name
        await forget(transport)
        fault = await fault_of(transport, base, private=True)
    assert isinstance(fault, NotSent)
    assert fault.message.startswith("the endpoint's address must not be used: model.example leads to a link-local")
    assert METADATA not in fault.message


async def forget(transport: Transport) -> None:
    """As after a minute without a call: the connection is closed and the name must be looked up again."""
    connector = transport._private.connector
    assert connector is not None
    connector.clear_dns_cache()  # type: ignore[attr-defined]
    for held in list(connector._conns.values()):
        for protocol, _ in held:
            protocol.close()
    connector._conns.clear()


async def test_endpoints_of_the_house_share_no_connection_with_the_others() -> None:
    async with upstream(ANSWER) as provider, opened(Names(LOCAL)) as transport:
        base = provider.base.replace("127.0.0.1", "model.example")
        assert await ask(transport, base, private=True) == 200
        assert isinstance(await fault_of(transport, base), NotSent)


async def test_with_the_setting_endpoints_of_every_kind_may_stand_in_the_house() -> None:
    async with upstream(ANSWER) as provider, opened(Names(LOCAL), allow_private=True) as transport:
        assert await ask(transport, provider.base.replace("127.0.0.1", "model.example"), private=False) == 200


async def test_with_the_setting_metadata_stays_refused() -> None:
    async with opened(Names([METADATA]), allow_private=True) as transport:
        assert isinstance(await fault_of(transport, "http://model.example/v1"), NotSent)
        assert isinstance(await fault_of(transport, f"http://{METADATA}/v1"), NotSent)


async def test_two_calls_that_wait_for_the_same_refused_name_are_told_apart() -> None:
    async with opened(Names([METADATA])) as transport:
        one, other = await asyncio.gather(*(fault_of(transport, "http://model.example/v1") for _ in range(2)))
    assert one is not other
    assert one == other


@pytest.mark.parametrize(
    "base", ["http://127.0.0.1:{}/v1", "http://localhost:{}/v1", "http://[::ffff:127.0.0.1]:{}/v1"]
)
async def test_an_endpoint_on_this_machine_answers_whatever_its_kind(base: str) -> None:
    async with upstream(ANSWER) as provider:
        transport = Transport()
        port = provider.base.rpartition(":")[2].partition("/")[0]
        assert await ask(transport, base.format(port), private=False) == 200
        await transport.close()


async def test_a_name_that_nobody_knows_is_unreachable_as_before() -> None:
    async with opened(Names()) as transport:
        assert isinstance(await fault_of(transport, "http://model.example/v1"), Unreachable)
