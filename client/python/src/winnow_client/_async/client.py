# Generated from the file of this name in _sync by `npm run generate`.
"""The client itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from .. import _calls as calls
from .._call import Call
from .._flow import perform
from .._transport import Requests, AsyncTransport
from .browser import AsyncBrowserSession
from .jobs import AsyncAgentJob, AsyncExtractJob, AsyncPagesJob
from .operator import AsyncOperator

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .. import types as api
    from ..results import PagesResult, SearchResult

T = TypeVar("T")


class AsyncWinnow:
    """A Winnow service.

    base_url: default WINNOW_URL, else http://127.0.0.1:3002. api_key: default WINNOW_API_KEY.
    retries: how often a call is repeated where that is safe; 0 never repeats any.
    timeout: seconds that any answer may take; by default each call waits as long as the service may work on it.
    http_client: an httpx client with settings of its own, such as proxies or certificates. It is not closed here.
    """

    operator: AsyncOperator
    """Teams and keys of the installation. Needs the key of an operator."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        retries: int = 3,
        timeout: float | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._transport = AsyncTransport(Requests(base_url, api_key, retries, timeout), http_client)
        self.operator = AsyncOperator(self._transport)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"

    @property
    def base_url(self) -> str:
        return self._transport.requests.base_url

    async def scrape(self, url: str, **options: Unpack[api.ScrapeArguments]) -> api.Document:
        """One page in the formats asked for; Markdown by default."""
        return await self._run(calls.scrape(url, options))

    async def scrape_result(self, scrape_id: str) -> api.Document:
        """The result of an earlier scrape, by the `scrapeId` in its metadata."""
        return await self._run(calls.scrape_result(scrape_id))

    async def parse(
        self, file: calls.FileSource, *, name: str | None = None, **options: Unpack[api.ParseArguments]
    ) -> api.ParsedDocument:
        """One file in the formats asked for: a path, bytes with a name, or a file that is open in binary mode."""
        return await self._run(calls.parse(file, name, options))

    async def search(self, query: str, **options: Unpack[api.SearchArguments]) -> SearchResult:
        """Searches the web and the pages that the team has scraped: `web`, `images` and `news`."""
        return await self._run(calls.search(query, options))

    async def map(self, url: str, **options: Unpack[api.MapArguments]) -> api.PostMapResponse:
        """The pages of a site, without their content."""
        return await self._run(calls.map_site(url, options))

    async def start_crawl(self, url: str, **options: Unpack[api.CrawlArguments]) -> AsyncPagesJob:
        """Starts a crawl. Iterate over the job to read its pages as they come."""
        return AsyncPagesJob.started_by(self._transport, "crawl", await self._run(calls.start_crawl(url, options)))

    async def start_batch(self, urls: Sequence[str], **options: Unpack[api.BatchScrapeArguments]) -> AsyncPagesJob:
        """Starts to scrape many pages."""
        return AsyncPagesJob.started_by(self._transport, "batch", await self._run(calls.start_batch(urls, options)))

    async def crawl(self, url: str, **options: Unpack[api.CrawlArguments]) -> PagesResult:
        """Starts a crawl and waits for all its pages. Large ones are better read by iterating over start_crawl."""
        job = await self.start_crawl(url, **options)
        return await job.wait()

    async def batch(self, urls: Sequence[str], **options: Unpack[api.BatchScrapeArguments]) -> PagesResult:
        """Starts to scrape many pages and waits for all of them."""
        job = await self.start_batch(urls, **options)
        return await job.wait()

    def crawl_job(self, job_id: str) -> AsyncPagesJob:
        """A crawl that was started before; nothing is asked until it is read."""
        return AsyncPagesJob(self._transport, "crawl", job_id)

    def batch_job(self, job_id: str) -> AsyncPagesJob:
        """A batch that was started before."""
        return AsyncPagesJob(self._transport, "batch", job_id)

    async def start_extract(self, urls: Sequence[str], **options: Unpack[api.ExtractArguments]) -> AsyncExtractJob:
        """Starts an extract. Without URLs the service looks for pages itself."""
        return AsyncExtractJob.started_by(self._transport, await self._run(calls.start_extract(urls, options)))

    def extract_job(self, job_id: str) -> AsyncExtractJob:
        return AsyncExtractJob(self._transport, job_id)

    async def extract(self, urls: Sequence[str], **options: Unpack[api.ExtractArguments]) -> api.ExtractStatus:
        """Values in the shape of a schema from several pages. Raises a JobFailedError where it fails."""
        job = await self.start_extract(urls, **options)
        return await job.wait()

    async def start_agent(self, prompt: str, **options: Unpack[api.AgentArguments]) -> AsyncAgentJob:
        """Starts an agent on a task in plain words."""
        return AsyncAgentJob.started_by(self._transport, await self._run(calls.start_agent(prompt, options)))

    def agent_job(self, job_id: str) -> AsyncAgentJob:
        return AsyncAgentJob(self._transport, job_id)

    async def agent(self, prompt: str, **options: Unpack[api.AgentArguments]) -> api.AgentStatus:
        """Finds pages for a task and reads what they state. Raises a JobFailedError where it fails."""
        job = await self.start_agent(prompt, **options)
        return await job.wait()

    async def ask(self, question: str, **options: Unpack[api.SupportAskArguments]) -> api.SupportAnswer:
        """Asks the support agent why a call did not bring what was expected, or how something is done."""
        return await self._run(calls.ask(question, options))

    async def interact(
        self, scrape_id: str, code: str | None = None, **options: Unpack[api.ScrapeInteractArguments]
    ) -> api.InteractResult:
        """Runs code, or a prompt, in a browser on the page of an earlier scrape. It is never run twice by itself."""
        return await self._run(calls.interact(scrape_id, code, options))

    async def stop_interact(self, scrape_id: str) -> api.DeleteScrapeInteractResponse:
        """Ends the browser of a scrape."""
        return await self._run(calls.stop_interact(scrape_id))

    async def open_browser(self, **options: Unpack[api.BrowserArguments]) -> AsyncBrowserSession:
        """A browser of your own in the service, until it is closed or its time is over."""
        return AsyncBrowserSession(self._transport, await self._run(calls.open_browser(options)))

    async def browser_session(self, session_id: str) -> AsyncBrowserSession:
        """A session that is open already."""
        facts = await self._run(calls.browser(session_id))
        return AsyncBrowserSession(self._transport, facts)

    async def list_browsers(self, **query: Unpack[api.BrowserQuery]) -> list[api.Session]:
        return await self._run(calls.list_browsers(query))

    async def capabilities(self) -> api.GetCapabilitiesResponse:
        """What works on this installation, and why the rest does not."""
        return await self._run(calls.capabilities())

    async def activity(self, **query: Unpack[api.TeamActivityQuery]) -> api.GetTeamActivityResponse:
        """Calls of the team in the last 24 hours, newest first, by pages."""
        return await self._run(calls.activity(query))

    async def usage(self, **query: Unpack[api.TeamUsageQuery]) -> list[api.GetTeamUsageResponseDataItem]:
        """Credits and calls of the team on each of the last days, oldest first."""
        return await self._run(calls.usage(query))

    async def credits(self) -> api.GetTeamCreditUsageResponseData:
        """Credits that the team has left."""
        return await self._run(calls.credits())

    async def team(self) -> api.GetTeamMeResponseData:
        """The team and the key of this client."""
        return await self._run(calls.team())

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, object] | None = None,
        timeout: float = 60,
    ) -> Any:
        """Any other call of the API, by its path and the names of the API. Only GET is repeated after it was sent."""
        return await self._run(calls.any_other(method, path, body, query, timeout))

    async def close(self) -> None:
        """Closes the connections. Jobs and browsers in the service go on."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, call: Call[T]) -> T:
        return await self._transport.run(perform(call, self._transport.requests.policy))
