# Generated from the file of this name in _sync by `npm run generate`.
"""Client of the service."""

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
    """Client for a Winnow service.

    base_url: default WINNOW_URL, else http://127.0.0.1:3002. api_key: default WINNOW_API_KEY.
    retries: maximum number of retries, for calls that are safe to retry; 0 disables retries.
    timeout: maximum seconds for any response. Default: slightly more than the time limit of the service for each call.
    http_client: an httpx client with custom settings, such as proxies or certificates. `close` does not close it.
    """

    operator: AsyncOperator
    """Teams and keys of the installation. Requires an operator key."""

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
        """Scrapes one page and returns the requested formats. Default: Markdown."""
        return await self._run(calls.scrape(url, options))

    async def scrape_result(self, scrape_id: str) -> api.Document:
        """Returns the result of an earlier scrape, by the `scrapeId` in its metadata."""
        return await self._run(calls.scrape_result(scrape_id))

    async def parse(
        self, file: calls.FileSource, *, name: str | None = None, **options: Unpack[api.ParseArguments]
    ) -> api.ParsedDocument:
        """Parses a file: a path, bytes with a name, or a binary file object. Returns the requested formats."""
        return await self._run(calls.parse(file, name, options))

    async def search(self, query: str, **options: Unpack[api.SearchArguments]) -> SearchResult:
        """Searches the web and the pages that the team has scraped: `web`, `images` and `news`."""
        return await self._run(calls.search(query, options))

    async def map(self, url: str, **options: Unpack[api.MapArguments]) -> api.PostMapResponse:
        """Lists the pages of a site, without their content."""
        return await self._run(calls.map_site(url, options))

    async def start_crawl(self, url: str, **options: Unpack[api.CrawlArguments]) -> AsyncPagesJob:
        """Starts a crawl. Iterate over the job to read its pages as they become available."""
        return AsyncPagesJob.started_by(self._transport, "crawl", await self._run(calls.start_crawl(url, options)))

    async def start_batch(self, urls: Sequence[str], **options: Unpack[api.BatchScrapeArguments]) -> AsyncPagesJob:
        """Starts a batch that scrapes many pages."""
        return AsyncPagesJob.started_by(self._transport, "batch", await self._run(calls.start_batch(urls, options)))

    async def crawl(self, url: str, **options: Unpack[api.CrawlArguments]) -> PagesResult:
        """Starts a crawl and waits for all its pages. For large crawls, iterate over the job of `start_crawl`."""
        job = await self.start_crawl(url, **options)
        return await job.wait()

    async def batch(self, urls: Sequence[str], **options: Unpack[api.BatchScrapeArguments]) -> PagesResult:
        """Starts a batch and waits for all its pages."""
        job = await self.start_batch(urls, **options)
        return await job.wait()

    def crawl_job(self, job_id: str) -> AsyncPagesJob:
        """Returns a crawl that was started earlier. Makes no request until the job is read."""
        return AsyncPagesJob(self._transport, "crawl", job_id)

    def batch_job(self, job_id: str) -> AsyncPagesJob:
        """Returns a batch that was started earlier. Makes no request until the job is read."""
        return AsyncPagesJob(self._transport, "batch", job_id)

    async def start_extract(self, urls: Sequence[str], **options: Unpack[api.ExtractArguments]) -> AsyncExtractJob:
        """Starts an extract. Without URLs, the service searches for pages."""
        return AsyncExtractJob.started_by(self._transport, await self._run(calls.start_extract(urls, options)))

    def extract_job(self, job_id: str) -> AsyncExtractJob:
        return AsyncExtractJob(self._transport, job_id)

    async def extract(self, urls: Sequence[str], **options: Unpack[api.ExtractArguments]) -> api.ExtractStatus:
        """Extracts values that match a schema from several pages. Raises a JobFailedError if the job fails."""
        job = await self.start_extract(urls, **options)
        return await job.wait()

    async def start_agent(self, prompt: str, **options: Unpack[api.AgentArguments]) -> AsyncAgentJob:
        """Starts an agent on a task in natural language."""
        return AsyncAgentJob.started_by(self._transport, await self._run(calls.start_agent(prompt, options)))

    def agent_job(self, job_id: str) -> AsyncAgentJob:
        return AsyncAgentJob(self._transport, job_id)

    async def agent(self, prompt: str, **options: Unpack[api.AgentArguments]) -> api.AgentStatus:
        """Finds pages for a task and extracts data from them. Raises a JobFailedError if the job fails."""
        job = await self.start_agent(prompt, **options)
        return await job.wait()

    async def ask(self, question: str, **options: Unpack[api.SupportAskArguments]) -> api.SupportAnswer:
        """Asks the support agent why a call did not return the expected result, or how to use the service."""
        return await self._run(calls.ask(question, options))

    async def interact(
        self, scrape_id: str, code: str | None = None, **options: Unpack[api.ScrapeInteractArguments]
    ) -> api.InteractResult:
        """Runs code or a prompt on the page of an earlier scrape. Never retries code that may have started."""
        return await self._run(calls.interact(scrape_id, code, options))

    async def stop_interact(self, scrape_id: str) -> api.DeleteScrapeInteractResponse:
        """Closes the browser of a scrape."""
        return await self._run(calls.stop_interact(scrape_id))

    async def open_browser(self, **options: Unpack[api.BrowserArguments]) -> AsyncBrowserSession:
        """Opens a browser session in the service, which lasts until it is closed or expires."""
        return AsyncBrowserSession(self._transport, await self._run(calls.open_browser(options)))

    async def browser_session(self, session_id: str) -> AsyncBrowserSession:
        """Returns a browser session that is already open."""
        session = await self._run(calls.browser(session_id))
        return AsyncBrowserSession(self._transport, session)

    async def list_browsers(self, **query: Unpack[api.BrowserQuery]) -> list[api.Session]:
        return await self._run(calls.list_browsers(query))

    async def capabilities(self) -> api.GetCapabilitiesResponse:
        """Returns the features of this installation, and the reasons why features are not available."""
        return await self._run(calls.capabilities())

    async def activity(self, **query: Unpack[api.TeamActivityQuery]) -> api.GetTeamActivityResponse:
        """Returns a page of the team's calls in the last 24 hours, newest first."""
        return await self._run(calls.activity(query))

    async def usage(self, **query: Unpack[api.TeamUsageQuery]) -> list[api.GetTeamUsageResponseDataItem]:
        """Returns credits and calls of the team for each of the last days, oldest first."""
        return await self._run(calls.usage(query))

    async def credits(self) -> api.GetTeamCreditUsageResponseData:
        """Returns the remaining credits of the team."""
        return await self._run(calls.credits())

    async def team(self) -> api.GetTeamMeResponseData:
        """Returns the team and the key of this client."""
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
        """Makes any other API call, with API field names. Only GET is retried after the request was sent."""
        return await self._run(calls.custom_call(method, path, body, query, timeout))

    async def close(self) -> None:
        """Closes the connections. Jobs and browsers in the service continue."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, call: Call[T]) -> T:
        return await self._transport.run(perform(call, self._transport.requests.policy))
