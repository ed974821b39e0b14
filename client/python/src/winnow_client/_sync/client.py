"""Client of the service. The one for asyncio is generated from this file, so every call must use `_run`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from .. import _calls as calls
from .._call import Call
from .._flow import perform
from .._transport import Requests, Transport
from .browser import BrowserSession
from .jobs import AgentJob, ExtractJob, PagesJob
from .operator import Operator

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .. import types as api
    from ..results import PagesResult, SearchResult

T = TypeVar("T")


class Winnow:
    """Client for a Winnow service.

    base_url: default WINNOW_URL, else http://127.0.0.1:3002. api_key: default WINNOW_API_KEY.
    retries: maximum number of retries, for calls that are safe to retry; 0 disables retries.
    timeout: maximum seconds for any response. Default: slightly more than the time limit of the service for each call.
    http_client: an httpx client with custom settings, such as proxies or certificates. `close` does not close it.
    """

    operator: Operator
    """Teams and keys of the installation. Requires an operator key."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        retries: int = 3,
        timeout: float | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._transport = Transport(Requests(base_url, api_key, retries, timeout), http_client)
        self.operator = Operator(self._transport)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"

    @property
    def base_url(self) -> str:
        return self._transport.requests.base_url

    def scrape(self, url: str, **options: Unpack[api.ScrapeArguments]) -> api.Document:
        """Scrapes one page and returns the requested formats. Default: Markdown."""
        return self._run(calls.scrape(url, options))

    def scrape_result(self, scrape_id: str) -> api.Document:
        """Returns the result of an earlier scrape, by the `scrapeId` in its metadata."""
        return self._run(calls.scrape_result(scrape_id))

    def parse(
        self, file: calls.FileSource, *, name: str | None = None, **options: Unpack[api.ParseArguments]
    ) -> api.ParsedDocument:
        """Parses a file: a path, bytes with a name, or a binary file object. Returns the requested formats."""
        return self._run(calls.parse(file, name, options))

    def search(self, query: str, **options: Unpack[api.SearchArguments]) -> SearchResult:
        """Searches the web and the pages that the team has scraped: `web`, `images` and `news`."""
        return self._run(calls.search(query, options))

    def map(self, url: str, **options: Unpack[api.MapArguments]) -> api.PostMapResponse:
        """Lists the pages of a site, without their content."""
        return self._run(calls.map_site(url, options))

    def start_crawl(self, url: str, **options: Unpack[api.CrawlArguments]) -> PagesJob:
        """Starts a crawl. Iterate over the job to read its pages as they become available."""
        return PagesJob.started_by(self._transport, "crawl", self._run(calls.start_crawl(url, options)))

    def start_batch(self, urls: Sequence[str], **options: Unpack[api.BatchScrapeArguments]) -> PagesJob:
        """Starts a batch that scrapes many pages."""
        return PagesJob.started_by(self._transport, "batch", self._run(calls.start_batch(urls, options)))

    def crawl(self, url: str, **options: Unpack[api.CrawlArguments]) -> PagesResult:
        """Starts a crawl and waits for all its pages. For large crawls, iterate over the job of `start_crawl`."""
        job = self.start_crawl(url, **options)
        return job.wait()

    def batch(self, urls: Sequence[str], **options: Unpack[api.BatchScrapeArguments]) -> PagesResult:
        """Starts a batch and waits for all its pages."""
        job = self.start_batch(urls, **options)
        return job.wait()

    def crawl_job(self, job_id: str) -> PagesJob:
        """Returns a crawl that was started earlier. Makes no request until the job is read."""
        return PagesJob(self._transport, "crawl", job_id)

    def batch_job(self, job_id: str) -> PagesJob:
        """Returns a batch that was started earlier. Makes no request until the job is read."""
        return PagesJob(self._transport, "batch", job_id)

    def start_extract(self, urls: Sequence[str], **options: Unpack[api.ExtractArguments]) -> ExtractJob:
        """Starts an extract. Without URLs, the service searches for pages."""
        return ExtractJob.started_by(self._transport, self._run(calls.start_extract(urls, options)))

    def extract_job(self, job_id: str) -> ExtractJob:
        return ExtractJob(self._transport, job_id)

    def extract(self, urls: Sequence[str], **options: Unpack[api.ExtractArguments]) -> api.ExtractStatus:
        """Extracts values that match a schema from several pages. Raises a JobFailedError if the job fails."""
        job = self.start_extract(urls, **options)
        return job.wait()

    def start_agent(self, prompt: str, **options: Unpack[api.AgentArguments]) -> AgentJob:
        """Starts an agent on a task in natural language."""
        return AgentJob.started_by(self._transport, self._run(calls.start_agent(prompt, options)))

    def agent_job(self, job_id: str) -> AgentJob:
        return AgentJob(self._transport, job_id)

    def agent(self, prompt: str, **options: Unpack[api.AgentArguments]) -> api.AgentStatus:
        """Finds pages for a task and extracts data from them. Raises a JobFailedError if the job fails."""
        job = self.start_agent(prompt, **options)
        return job.wait()

    def ask(self, question: str, **options: Unpack[api.SupportAskArguments]) -> api.SupportAnswer:
        """Asks the support agent why a call did not return the expected result, or how to use the service."""
        return self._run(calls.ask(question, options))

    def interact(
        self, scrape_id: str, code: str | None = None, **options: Unpack[api.ScrapeInteractArguments]
    ) -> api.InteractResult:
        """Runs code or a prompt on the page of an earlier scrape. Never retries code that may have started."""
        return self._run(calls.interact(scrape_id, code, options))

    def stop_interact(self, scrape_id: str) -> api.DeleteScrapeInteractResponse:
        """Closes the browser of a scrape."""
        return self._run(calls.stop_interact(scrape_id))

    def open_browser(self, **options: Unpack[api.BrowserArguments]) -> BrowserSession:
        """Opens a browser session in the service, which lasts until it is closed or expires."""
        return BrowserSession(self._transport, self._run(calls.open_browser(options)))

    def browser_session(self, session_id: str) -> BrowserSession:
        """Returns a browser session that is already open."""
        session = self._run(calls.browser(session_id))
        return BrowserSession(self._transport, session)

    def list_browsers(self, **query: Unpack[api.BrowserQuery]) -> list[api.Session]:
        return self._run(calls.list_browsers(query))

    def capabilities(self) -> api.GetCapabilitiesResponse:
        """Returns the features of this installation, and the reasons why features are not available."""
        return self._run(calls.capabilities())

    def activity(self, **query: Unpack[api.TeamActivityQuery]) -> api.GetTeamActivityResponse:
        """Returns a page of the team's calls in the last 24 hours, newest first."""
        return self._run(calls.activity(query))

    def usage(self, **query: Unpack[api.TeamUsageQuery]) -> list[api.GetTeamUsageResponseDataItem]:
        """Returns credits and calls of the team for each of the last days, oldest first."""
        return self._run(calls.usage(query))

    def credits(self) -> api.GetTeamCreditUsageResponseData:
        """Returns the remaining credits of the team."""
        return self._run(calls.credits())

    def team(self) -> api.GetTeamMeResponseData:
        """Returns the team and the key of this client."""
        return self._run(calls.team())

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, object] | None = None,
        timeout: float = 60,
    ) -> Any:
        """Makes any other API call, with API field names. Only GET is retried after the request was sent."""
        return self._run(calls.custom_call(method, path, body, query, timeout))

    def close(self) -> None:
        """Closes the connections. Jobs and browsers in the service continue."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, call: Call[T]) -> T:
        return self._transport.run(perform(call, self._transport.requests.policy))
