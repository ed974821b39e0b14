# Generated from docs/openapi.json by `npm run generate`.
"""Types of the requests and responses of the service. The client does not need them at run time."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict, Union


class AbsentSearchSource2(TypedDict):
    type: Literal["alexandria", "exchange"]


class ActionResultsScrapesItem(TypedDict):
    url: str
    html: str


class ActionResultsJavascriptReturnsItem(TypedDict):
    type: str
    value: Any


class ActionResults(TypedDict):
    screenshots: list[str]
    scrapes: list[ActionResultsScrapesItem]
    javascriptReturns: list[ActionResultsJavascriptReturnsItem]
    pdfs: list[str]


class AgentListItemSettings(TypedDict):
    hidden: bool
    starred: bool


class _AgentListItemOptionsRequired(TypedDict):
    urls: list[str]
    prompt: str
    model: str


class AgentListItemOptions(_AgentListItemOptionsRequired, total=False):
    schema: Any
    effort: Literal["low", "medium", "high"]


class _AgentListItemRequired(TypedDict):
    id: str
    createdAt: str
    targetHint: str
    origin: str
    settings: AgentListItemSettings
    status: Literal["processing", "completed", "failed"]
    """A cancelled run has status `failed` and stopReason `cancelled`."""
    options: AgentListItemOptions


class AgentListItem(_AgentListItemRequired, total=False):
    integration: str


class _AgentRequestRequired(TypedDict):
    prompt: str
    """Task in natural language."""


class AgentRequest(_AgentRequestRequired, total=False):
    urls: list[str]
    """Start URLs. A URL that ends in /* includes the pages of the site below it."""
    schema: Any
    """JSON schema of the values. Default: derived from the prompt."""
    maxCredits: float
    """Maximum total cost. The run reads no page and searches nothing beyond it."""
    strictConstrainToURLs: bool
    """Read only the pages in urls."""
    model: Literal["spark-1-pro", "spark-1-mini", "spark-2"]
    """No effect: the language model of this installation is used."""
    effort: Literal["low", "medium", "high"]
    """Maximum number of steps: low 5, medium 10, high 20. Default: medium."""
    webhook: Union[str, AgentWebhook]
    """Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events."""
    threadId: str
    """Id of a conversation to continue; the agent knows its previous runs."""
    mode: Literal["extract", "chat"]
    """extract: values in data; chat: an answer in natural language in message."""
    exchange: Any
    """No effect: there are no paid providers."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _AgentStatusRequired(TypedDict):
    success: Literal[True]
    status: Literal["processing", "completed", "failed"]
    """A cancelled run has status `failed` and stopReason `cancelled`."""
    model: str
    mode: Literal["extract", "chat"]
    threadId: str
    threadTurn: int
    expiresAt: str
    creditsUsed: int


class AgentStatus(_AgentStatusRequired, total=False):
    data: Any
    message: str
    """Answer of the agent in the mode chat."""
    error: str
    code: str
    stopReason: str
    """Reason for an early end: cancelled, credit_limit_reached, step_limit, model."""
    sources: dict[str, list[str]]
    """Source pages of each value, by its path."""
    conflicts: list[Conflict]
    """Fields for which pages contain different values: each value with its pages."""
    effort: Literal["low", "medium", "high"]
    warning: str


class _AgentThreadRunsItemRequired(TypedDict):
    id: str
    turn: int
    mode: Literal["extract", "chat"]
    prompt: str
    urls: list[str]
    status: Literal["processing", "succeeded", "failed", "cancelled", "credit_limit_reached"]
    createdAt: str
    finishedAt: Union[str, None]
    creditsUsed: int
    message: Union[str, None]


class AgentThreadRunsItem(_AgentThreadRunsItemRequired, total=False):
    schema: Any
    effort: Literal["low", "medium", "high"]
    data: Any
    """Only with includeData."""


class AgentThread(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    status: Literal["idle", "running"]
    runs: list[AgentThreadRunsItem]


class _AgentTraceRequired(TypedDict):
    success: Literal[True]
    id: str
    events: list[AgentTraceEvent]
    creditsUsed: int


class AgentTrace(_AgentTraceRequired, total=False):
    activeBrowserSessions: list[Any]
    warning: str


class AgentTraceEventAgent(TypedDict):
    id: str
    role: Literal["orchestrator"]
    name: str


class AgentTraceEvent(TypedDict):
    schemaVersion: Literal[1]
    eventId: str
    runId: str
    occurredAt: str
    producerSequence: int
    agent: AgentTraceEventAgent
    type: str


class _AgentWebhookRequired(TypedDict):
    url: str


class AgentWebhook(_AgentWebhookRequired, total=False):
    headers: dict[str, str]
    """Headers sent with each delivery."""
    metadata: dict[str, Any]
    """Returned unchanged in each delivery."""
    events: list[str]
    """Events that are delivered. Default: all."""


class AttributesFormatSelectorsItem(TypedDict):
    selector: str
    """CSS selector of the elements."""
    attribute: str
    """Name of the attribute."""


class AttributesFormat(TypedDict):
    """Attribute values by CSS selector."""
    type: Literal["attributes"]
    selectors: list[AttributesFormatSelectorsItem]
    """Pairs of selector and attribute."""


class AudioFormat(TypedDict):
    """Audio of the page as MP3."""
    type: Literal["audio"]


class _BatchScrapeRequestRequired(TypedDict):
    urls: list[str]
    """URLs to scrape."""


class BatchScrapeRequest(_BatchScrapeRequestRequired, total=False):
    formats: list[Format]
    """Formats to return. An empty list returns only metadata."""
    onlyMainContent: bool
    """Omit headers, navigation and footers."""
    mainContentMode: Literal["balanced", "container", "article"]
    """Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it."""
    onlyCleanContent: bool
    """Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention."""
    includeTags: list[str]
    """CSS selectors: keep only what they match."""
    excludeTags: list[str]
    """CSS selectors: remove what they match."""
    maxAge: int
    """Use a cached page younger than this (ms). Default: two days; 0 always fetches."""
    minAge: int
    """Use a cached page at least this old (ms), and never fetch."""
    headers: dict[str, str]
    """Headers sent to the site. Disables the cache."""
    waitFor: int
    """Additional wait (ms) before the page is read."""
    mobile: bool
    """Emulate a mobile device."""
    skipTlsVerification: bool
    """Accept invalid certificates."""
    timeout: int
    """Time budget of the complete request (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    removeBase64Images: bool
    """Omit embedded images from the Markdown."""
    blockAds: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """Proxy tier for reaching the site."""
    storeInCache: bool
    """Cache the page for later requests. Default: true."""
    lockdown: bool
    """Serve only from the cache; never contact the site."""
    profile: Profile
    """Browser storage that is kept between requests: cookies, local storage, databases. Disables the cache."""
    fastMode: bool
    """Never use a browser."""
    redactPII: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in formats derived from it."""
    ignoreInvalidURLs: bool
    """Skip invalid URLs instead of rejecting the call."""
    appendToId: str
    """Id of a running or completed batch of the team, to which the URLs are added."""
    maxConcurrency: int
    """Maximum number of concurrently scraped pages. Default: the slots of the team."""
    webhook: Union[str, Webhook]
    """Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events."""
    zeroDataRetention: bool
    """Not available for batches, because their results are stored."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class BlocksFormat(TypedDict):
    """Text blocks of the page in order, with the blocks in the Markdown and the reasons for omitted ones."""
    type: Literal["blocks"]


class BrandingColors(TypedDict, total=False):
    primary: str
    """Color as #RRGGBB."""
    secondary: str
    """Color as #RRGGBB."""
    accent: str
    """Color as #RRGGBB."""
    background: str
    """Color as #RRGGBB."""
    textPrimary: str
    """Color as #RRGGBB."""
    textSecondary: str
    """Color as #RRGGBB."""
    link: str
    """Color as #RRGGBB."""
    success: str
    """Color as #RRGGBB."""
    warning: str
    """Color as #RRGGBB."""
    error: str
    """Color as #RRGGBB."""


class BrandingFontsItem(TypedDict):
    family: str


class BrandingTypographyFontFamilies(TypedDict, total=False):
    primary: str
    heading: str
    code: str


class BrandingTypographyFontStacks(TypedDict, total=False):
    primary: list[str]
    heading: list[str]
    body: list[str]
    paragraph: list[str]


class BrandingTypographyFontSizes(TypedDict, total=False):
    h1: str
    h2: str
    h3: str
    body: str
    small: str


class BrandingTypographyFontWeights(TypedDict, total=False):
    light: int
    regular: int
    medium: int
    bold: int


class BrandingTypographyLineHeights(TypedDict, total=False):
    heading: str
    body: str


class BrandingTypography(TypedDict, total=False):
    fontFamilies: BrandingTypographyFontFamilies
    fontStacks: BrandingTypographyFontStacks
    fontSizes: BrandingTypographyFontSizes
    fontWeights: BrandingTypographyFontWeights
    lineHeights: BrandingTypographyLineHeights


class BrandingSpacing(TypedDict, total=False):
    baseUnit: int
    borderRadius: str
    padding: dict[str, float]
    """Padding of buttons, fields, cards and sections, in pixels."""
    margins: dict[str, float]
    """Margin below headings, paragraphs and sections, in pixels."""
    gridGutter: float


class BrandingComponentsButtonPrimary(TypedDict, total=False):
    background: str
    """Color as #RRGGBB."""
    textColor: str
    """Color as #RRGGBB."""
    borderColor: str
    """Color as #RRGGBB."""
    borderRadius: str


class BrandingComponentsButtonSecondary(TypedDict, total=False):
    background: str
    """Color as #RRGGBB."""
    textColor: str
    """Color as #RRGGBB."""
    borderColor: str
    """Color as #RRGGBB."""
    borderRadius: str


class BrandingComponentsInput(TypedDict, total=False):
    borderColor: str
    """Color as #RRGGBB."""
    borderRadius: str


class BrandingComponents(TypedDict, total=False):
    buttonPrimary: BrandingComponentsButtonPrimary
    buttonSecondary: BrandingComponentsButtonSecondary
    input: BrandingComponentsInput


class BrandingIcons(TypedDict, total=False):
    style: str
    """Style of icons: outline or filled."""
    primaryColor: str
    """Color as #RRGGBB."""


class BrandingPersonality(TypedDict, total=False):
    """Derived from shapes, fonts and colours, if enough of them agree."""
    tone: Literal["professional", "playful", "modern", "traditional", "minimalist", "bold"]
    energy: Literal["low", "medium", "high"]


class BrandingImages(TypedDict):
    logo: Union[str, None]
    favicon: Union[str, None]
    ogImage: Union[str, None]


class _BrandingRequired(TypedDict):
    colorScheme: Literal["light", "dark"]
    logo: Union[str, None]
    """URL of the logo; an inline SVG is returned as a data URL."""
    images: BrandingImages


class Branding(_BrandingRequired, total=False):
    brandName: str
    colors: BrandingColors
    fonts: list[BrandingFontsItem]
    typography: BrandingTypography
    spacing: BrandingSpacing
    components: BrandingComponents
    icons: BrandingIcons
    animations: dict[str, Any]
    layout: dict[str, Any]
    personality: BrandingPersonality
    """Derived from shapes, fonts and colours, if enough of them agree."""


class BrandingFormat(TypedDict):
    """Visual identity of a site: colours, fonts, spacing, buttons and logo."""
    type: Literal["branding"]


_ChangeTrackingDiffJsonFilesItemChunksItemChangesItemNamedOptional = TypedDict("_ChangeTrackingDiffJsonFilesItemChunksItemChangesItemNamedOptional", {
    "del": "Literal[True]",
}, total=False)


class _ChangeTrackingDiffJsonFilesItemChunksItemChangesItemRequired(TypedDict):
    type: Literal["add", "del", "normal"]
    content: str


class ChangeTrackingDiffJsonFilesItemChunksItemChangesItem(_ChangeTrackingDiffJsonFilesItemChunksItemChangesItemNamedOptional, _ChangeTrackingDiffJsonFilesItemChunksItemChangesItemRequired, total=False):
    add: Literal[True]
    normal: Literal[True]
    ln: int
    """Line number, from 1."""
    ln1: int
    """Line number, from 1."""
    ln2: int
    """Line number, from 1."""


class ChangeTrackingDiffJsonFilesItemChunksItem(TypedDict):
    content: str
    changes: list[ChangeTrackingDiffJsonFilesItemChunksItemChangesItem]


_ChangeTrackingDiffJsonFilesItemNamed = TypedDict("_ChangeTrackingDiffJsonFilesItemNamed", {
    "from": "Union[str, None]",
})


class _ChangeTrackingDiffJsonFilesItemRequired(TypedDict):
    to: Union[str, None]
    chunks: list[ChangeTrackingDiffJsonFilesItemChunksItem]


class ChangeTrackingDiffJsonFilesItem(_ChangeTrackingDiffJsonFilesItemNamed, _ChangeTrackingDiffJsonFilesItemRequired, total=False):
    pass


class ChangeTrackingDiffJson(TypedDict):
    """The same diff as structured data."""
    files: list[ChangeTrackingDiffJsonFilesItem]


class ChangeTrackingJsonValue(TypedDict):
    previous: Any
    current: Any


class _ChangeTrackingRequired(TypedDict):
    previousScrapeAt: Union[str, None]
    """Time of the fetch of the previous version."""
    changeStatus: Literal["new", "same", "changed", "removed"]
    """removed: the page returns 404 or 410. With mode json, a different value is also a change."""
    visibility: Literal["visible", "hidden"]


class ChangeTracking(_ChangeTrackingRequired, total=False):
    diff: str
    """Unified diff of the Markdown, with mode git-diff."""
    diffJson: ChangeTrackingDiffJson
    """The same diff as structured data."""
    json: dict[str, ChangeTrackingJsonValue]
    """With mode json: changed fields by path; null for a value that was not read."""


class _ChangeTrackingFormatRequired(TypedDict):
    type: Literal["changeTracking"]


class ChangeTrackingFormat(_ChangeTrackingFormatRequired, total=False):
    """Changes of the page since the team last tracked it. Needs the format markdown."""
    modes: list[Literal["git-diff", "json"]]
    """Representation of changes: git-diff for changed lines; json for changed values."""
    schema: Any
    """With mode json: JSON schema of the compared values."""
    prompt: Union[str, None]
    """With mode json: description of the values in natural language. Only a language model uses it."""
    tag: Union[str, None]
    """Name of a separate history of the same page."""


class ChunksFormat(TypedDict):
    """Removed. Instead, split markdown with the text splitter of your RAG framework."""
    type: Literal["chunks"]


class _ClickActionRequired(TypedDict):
    type: Literal["click"]
    selector: str


class ClickAction(_ClickActionRequired, total=False):
    """Clicks an element, or every element that matches."""
    all: bool


class _ConflictValuesItemRequired(TypedDict):
    value: Any
    sources: list[str]


class ConflictValuesItem(_ConflictValuesItemRequired, total=False):
    reader: str
    text: str


class Conflict(TypedDict):
    path: str
    chosen: Any
    values: list[ConflictValuesItem]


class _CrawlPreviewRequired(TypedDict):
    url: str


class CrawlPreview(_CrawlPreviewRequired, total=False):
    includePaths: list[str]
    """Regular expressions: only pages with a matching path are scraped."""
    excludePaths: list[str]
    """Regular expressions: pages with a matching path are not scraped."""
    maxDiscoveryDepth: int
    """Maximum number of links from the start. Links on pages at the limit are not followed."""
    crawlEntireDomain: bool
    """Follow links to pages outside the start path. Default: only pages below it."""
    allowExternalLinks: bool
    """Scrape pages of other sites that the site links to, but do not follow their links. Default: false."""
    allowSubdomains: bool
    """Follow links to other subdomains. Default: false."""
    sitemap: Literal["skip", "include", "only"]
    """Use of sitemaps. Default: include."""
    ignoreQueryParameters: bool
    """Treat pages that differ only in their query as one page. Default: false."""
    ignoreRobotsTxt: bool
    """Ignore robots.txt. Default: false."""
    robotsUserAgent: str
    """User agent to match in robots.txt. Default: WinnowBot."""
    deduplicateSimilarURLs: bool
    """Treat URLs as equal that differ in www, http, a trailing slash or an index file. Default: true."""
    delay: float
    """Seconds between two pages; pages are then scraped one at a time."""
    limit: int
    """Maximum number of pages. Default: 10000."""


class _CrawlRequestRequired(TypedDict):
    url: str
    """Start URL of the crawl."""


class CrawlRequest(_CrawlRequestRequired, total=False):
    prompt: str
    """Description of the crawl in natural language. Explicit options take precedence."""
    includePaths: list[str]
    """Regular expressions: only pages with a matching path are scraped."""
    excludePaths: list[str]
    """Regular expressions: pages with a matching path are not scraped."""
    regexOnFullURL: bool
    """Match patterns against the complete URL instead of the path. Default: false."""
    maxDiscoveryDepth: int
    """Maximum number of links from the start. Links on pages at the limit are not followed."""
    sitemap: Literal["skip", "include", "only"]
    """Use of sitemaps. Default: include."""
    ignoreQueryParameters: bool
    """Treat pages that differ only in their query as one page. Default: false."""
    deduplicateSimilarURLs: bool
    """Treat URLs as equal that differ in www, http, a trailing slash or an index file. Default: true."""
    limit: int
    """Maximum number of pages. Default: 10000."""
    crawlEntireDomain: bool
    """Follow links to pages outside the start path. Default: only pages below it."""
    allowExternalLinks: bool
    """Scrape pages of other sites that the site links to, but do not follow their links. Default: false."""
    removeRepeatedContent: bool
    """Omit texts that most pages of the site repeat; headings, terms, cells and code are never omitted. Default: false: each page is read as if it were scraped separately."""
    allowSubdomains: bool
    """Follow links to other subdomains. Default: false."""
    ignoreRobotsTxt: bool
    """Ignore robots.txt. Default: false."""
    robotsUserAgent: str
    """User agent to match in robots.txt. Default: WinnowBot."""
    delay: float
    """Seconds between two pages; pages are then scraped one at a time."""
    maxConcurrency: int
    """Maximum number of concurrently scraped pages. Default: the slots of the team."""
    scrapeOptions: ScrapeOptions
    """Scrape options of each page."""
    webhook: Union[str, Webhook]
    """Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events."""
    zeroDataRetention: bool
    """Not available for crawls, because their results are stored."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _DeliveryAttemptsItemRequired(TypedDict):
    at: str
    ms: int
    """Duration of the attempt."""


class DeliveryAttemptsItem(_DeliveryAttemptsItemRequired, total=False):
    status: int
    """Response of the receiver."""
    error: str


class _DeliveryRequired(TypedDict):
    webhookId: str
    """Id of the delivery, the same in all its attempts."""
    id: str
    """Id of the job that the event is about."""
    type: str
    """Event type and payload."""
    state: Literal["waiting", "delivered", "failed"]
    attempts: list[DeliveryAttemptsItem]
    createdAt: str


class Delivery(_DeliveryRequired, total=False):
    nextAttemptAt: str
    """Present while the delivery waits."""


class _DeliveryDetailsAttemptsItemRequired(TypedDict):
    at: str
    ms: int
    """Duration of the attempt."""


class DeliveryDetailsAttemptsItem(_DeliveryDetailsAttemptsItemRequired, total=False):
    status: int
    """Response of the receiver."""
    error: str


class _DeliveryDetailsRequired(TypedDict):
    webhookId: str
    """Id of the delivery, the same in all its attempts."""
    id: str
    """Id of the job that the event is about."""
    type: str
    """Event type and payload."""
    state: Literal["waiting", "delivered", "failed"]
    attempts: list[DeliveryDetailsAttemptsItem]
    createdAt: str


class DeliveryDetails(_DeliveryDetailsRequired, total=False):
    nextAttemptAt: str
    """Present while the delivery waits."""
    url: str
    """URL of the receiver; absent after the webhook of the job is removed."""
    payload: dict[str, Any]
    """Payload with the documents as currently stored; absent together with the url."""


class _DeterministicJsonFormatRequired(TypedDict):
    type: Literal["deterministicJson"]


class DeterministicJsonFormat(_DeterministicJsonFormatRequired, total=False):
    """Values of the page for a JSON schema, read by rules without a language model, so the same page gives the same values."""
    schema: Any
    """JSON schema of the values. Required."""
    prompt: Union[str, None]
    """No effect: only a language model uses text instructions, see the format json."""


class _DeveloperSearchRequestRequired(TypedDict):
    query: str
    """A question about code, a library or an error."""


class DeveloperSearchRequest(_DeveloperSearchRequestRequired, total=False):
    k: int
    """Maximum number of results, 1 to 100."""
    passages: int
    """Passages per result, 1 to 5."""
    types: list[Literal["doc", "issue", "pull_request", "readme"]]
    """Sources: doc are your indexed pages; the others are on GitHub. Default: all."""
    repos: list[str]
    """GitHub repositories, owner/name."""
    sources: list[str]
    """Hostnames of your indexed pages."""
    language: str
    """Main language of the repository."""
    topic: list[str]
    """Topics of the repository; all must match."""
    license: str
    """SPDX identifier of its licence."""
    min_stars: int
    max_stars: int
    archived: bool
    fork: bool
    skills: Literal["only"]
    """Not available."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class DeveloperSearchResultPassagesItem(TypedDict):
    text: str
    citation_url: str


class DeveloperSearchResultLicense(TypedDict):
    state: Literal["licensed", "known_absent", "unknown"]
    spdx_id: Union[str, None]


class _DeveloperSearchResultRequired(TypedDict):
    id: str
    """Id such as issue:owner/name#1."""
    type: Literal["doc", "issue", "pull_request", "readme"]
    url: str
    passages: list[DeveloperSearchResultPassagesItem]


class DeveloperSearchResult(_DeveloperSearchResultRequired, total=False):
    title: str
    license: DeveloperSearchResultLicense


class _DocsSearchRequestRequired(TypedDict):
    question: str
    """A question about this service."""


class DocsSearchRequest(_DocsSearchRequestRequired, total=False):
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class DocumentAttributesItem(TypedDict):
    selector: str
    attribute: str
    values: list[str]


class _DocumentJsonEvidenceValueRequired(TypedDict):
    text: str
    """Text of the page at this position."""
    reader: str
    """Source of the value: json-ld, microdata, label, table, records and others."""


class DocumentJsonEvidenceValue(_DocumentJsonEvidenceValueRequired, total=False):
    selector: str
    """CSS selector of the element that contains the text."""
    property: str
    """The property in structured data or metadata."""


class _DocumentRequired(TypedDict):
    metadata: DocumentMetadata


class Document(_DocumentRequired, total=False):
    attributes: list[DocumentAttributesItem]
    """The values in document order, unchanged: URLs are not resolved."""
    audio: str
    """URL of the MP3; it expires after one hour."""
    textBlocks: list[TextBlock]
    """Text blocks of the page in order, kept or omitted."""
    branding: Branding
    """Colours, fonts, spacing, buttons and logo, if the page shows them."""
    changeTracking: ChangeTracking
    """Changes since the previous version."""
    json: Any
    """Values in the shape of the schema."""
    jsonEvidence: dict[str, DocumentJsonEvidenceValue]
    """Source of each value by its path: `offers.price`, `items[0].name`."""
    highlights: str
    """Sentences of the page, unchanged, the best passage first, with blank lines between passages."""
    html: str
    """Cleaned HTML."""
    images: list[str]
    """Absolute URLs of the images."""
    links: list[str]
    """Absolute URLs that the page links to."""
    markdown: str
    """The page as Markdown."""
    product: Product
    """The product and its variants; at least one."""
    answer: str
    """A short answer if one is certain, followed by the relevant sentences of the page as Markdown quotes."""
    rawBase64: str
    """The body as received, in base64."""
    rawHtml: str
    """The page as received."""
    screenshot: str
    """URL of the screenshot; it expires after 24 hours."""
    summary: str
    """Three to five sentences; for a list, its title and first entries, one per line."""
    pages: list[PdfPage]
    """The pages of a PDF; present if the parser option pages is set."""
    blocks: list[PdfPageBlocks]
    """The blocks of each page of a PDF; present if the parser option blocks is set."""
    actions: ActionResults
    """Results of the actions, in order; present if the request has actions."""
    task: TaskResult
    """Summary of the steps of the agent before the page was read, written by the language model."""
    warning: str
    """Information for the caller: options without effect, limits reached."""


class _DocumentMetadataRequired(TypedDict):
    sourceURL: str
    """URL as requested."""
    url: str
    """URL after redirects."""
    statusCode: int
    """HTTP status of the site; 500 if the stored document is damaged."""
    scrapeId: str
    """Id of this job."""
    creditsUsed: int


class DocumentMetadata(_DocumentMetadataRequired, total=False):
    title: str
    description: str
    language: str
    keywords: str
    ogLocaleAlternate: list[str]
    contentType: str
    error: str
    """Present if the site returned an error status, or the stored document is damaged."""
    code: str
    """Error code; present if the stored document is damaged."""
    engine: Literal["http", "chromium"]
    """Engine that fetched the page: plain HTTP or a browser; for a cached page, the engine that fetched it originally."""
    proxyUsed: Literal["basic", "stealth"]
    cacheState: Literal["hit", "miss"]
    """Absent if the cache was not used."""
    cachedAt: str
    numPages: int
    """Pages of a PDF that were converted."""
    totalPages: int
    """Pages of the PDF."""
    concurrencyLimited: bool
    concurrencyQueueDurationMs: int


class ExecuteJavascriptAction(TypedDict):
    """Runs a script in the page and returns the value of its last expression or of its return statement. await is allowed."""
    type: Literal["executeJavascript"]
    script: str


class _ExecuteRequestRequired(TypedDict):
    code: str
    """Code that runs with `page`, `context` and `browser`."""


class ExecuteRequest(_ExecuteRequestRequired, total=False):
    language: Literal["python", "node", "bash"]
    """Language of the code; `bash` includes the command agent-browser."""
    timeout: int
    """Time limit of the code in seconds."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class ExtractRequestAgent1(TypedDict, total=False):
    model: str


class ExtractRequest(TypedDict, total=False):
    urls: list[str]
    """Pages to read. A URL that ends in /* includes the pages of the site below it."""
    prompt: str
    """Description of the values in natural language. Requires a language model if there is no schema."""
    systemPrompt: str
    """Additional instructions for the language model."""
    schema: Any
    """JSON schema of the values."""
    limit: int
    """Maximum number of pages to read; the most relevant pages of a site are selected."""
    ignoreSitemap: bool
    """Find pages of a site only by links."""
    includeSubdomains: bool
    """Also read pages of other subdomains of a site."""
    allowExternalLinks: bool
    """Also read pages of other sites to which a site links. Requires a URL that ends in /*."""
    enableWebSearch: bool
    """Also read pages that a search for the prompt finds. On by default if no URL is given."""
    showSources: bool
    """Add the source pages of each value, and every value on which pages disagree."""
    scrapeOptions: ScrapeOptions
    """Scrape options of each page."""
    ignoreInvalidURLs: bool
    """Skip invalid URLs instead of rejecting the call."""
    timeout: float
    """Time budget (ms). Pages that were not read in time are omitted and listed."""
    agent: Union[ExtractRequestAgent1, None]
    """No effect: POST /v2/agent finds pages without it."""
    urlTrace: bool
    """Add the outcome of each page."""
    webhook: Union[str, Webhook]
    """Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _ExtractStatusStepsItemRequired(TypedDict):
    step: str
    status: str


class ExtractStatusStepsItem(_ExtractStatusStepsItemRequired, total=False):
    discoveredLinks: list[str]


class _ExtractStatusRequired(TypedDict):
    success: bool
    """False if the job failed."""
    status: Literal["processing", "completed", "failed", "cancelled"]
    data: Any
    """Values in the shape of the schema; an empty list while processing."""
    expiresAt: str
    tokensUsed: int
    """creditsUsed, converted to tokens."""
    creditsUsed: int


class ExtractStatus(_ExtractStatusRequired, total=False):
    error: str
    """Reason for the failure."""
    code: str
    """Error code of the failure."""
    warning: str
    sources: dict[str, list[str]]
    """Source pages of each value, by its path."""
    conflicts: list[Conflict]
    """Fields for which pages contain different values: each value with its pages."""
    steps: list[ExtractStatusStepsItem]
    """Steps of the run, in order."""
    urlTrace: list[TracedUrl]
    """Outcome of each page, with urlTrace."""


class _FeedbackValuableSourcesItemRequired(TypedDict):
    url: str
    """A result that was useful."""


class FeedbackValuableSourcesItem(_FeedbackValuableSourcesItemRequired, total=False):
    reason: str


class _FeedbackMissingContentItemRequired(TypedDict):
    topic: str
    """Expected but missing result."""


class FeedbackMissingContentItem(_FeedbackMissingContentItemRequired, total=False):
    description: str


class _FeedbackRequired(TypedDict):
    feedbackId: str
    jobId: str
    endpoint: str
    rating: str
    creditsRefunded: int
    createdAt: str


class Feedback(_FeedbackRequired, total=False):
    valuableSources: list[FeedbackValuableSourcesItem]
    valuableResultPositions: list[int]
    missingContent: list[FeedbackMissingContentItem]
    querySuggestions: str
    issues: list[str]
    tags: list[str]
    note: str
    url: str
    pageNumbers: list[int]
    metadata: dict[str, Any]
    origin: str
    integration: Union[str, None]


class _FeedbackRequestValuableSourcesItemRequired(TypedDict):
    url: str
    """A result that was useful."""


class FeedbackRequestValuableSourcesItem(_FeedbackRequestValuableSourcesItemRequired, total=False):
    reason: str


class _FeedbackRequestMissingContentItemRequired(TypedDict):
    topic: str
    """Expected but missing result."""


class FeedbackRequestMissingContentItem(_FeedbackRequestMissingContentItemRequired, total=False):
    description: str


class _FeedbackRequestRequired(TypedDict):
    endpoint: Literal["search", "scrape", "parse", "map"]
    """Kind of the job."""
    jobId: str
    """Id of the job."""
    rating: Literal["good", "partial", "bad"]


class FeedbackRequest(_FeedbackRequestRequired, total=False):
    valuableSources: list[FeedbackRequestValuableSourcesItem]
    valuableResultPositions: list[int]
    """The same by position in the list of results."""
    missingContent: list[FeedbackRequestMissingContentItem]
    querySuggestions: str
    """Suggested change of the query."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""
    issues: list[str]
    """Short names of the problems: missing_markdown."""
    tags: list[str]
    note: str
    url: str
    """URL of the page."""
    pageNumbers: list[int]
    """Pages of a document."""
    metadata: dict[str, Any]


class HighlightsFormat(TypedDict):
    """Passages of the page that answer a query, verbatim."""
    type: Literal["highlights"]
    query: str
    """Query for the passages."""


class HtmlFormat(TypedDict):
    """Cleaned HTML: no scripts or styles, absolute URLs."""
    type: Literal["html"]


class ImageParser(TypedDict):
    type: Literal["image"]


class _ImageResultRequired(TypedDict):
    title: str
    imageUrl: str
    url: str
    position: int
    """Position in the list, from 1."""


class ImageResult(_ImageResultRequired, total=False):
    imageWidth: int
    imageHeight: int


class ImagesFormat(TypedDict):
    """Absolute URLs of the images of the page, without duplicates, in the largest available size."""
    type: Literal["images"]


class _InteractResultRequired(TypedDict):
    success: bool
    """True if the run completed without errors."""
    sessionId: str
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """URL of a page to watch the browser live; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """URL of a page to watch and control the browser."""
    stdout: Union[str, None]
    result: Union[str, None]
    """Value of the last expression; for a prompt, the page at the end."""
    stderr: Union[str, None]
    exitCode: Union[int, None]
    """0 means success."""
    killed: bool
    """True if the run reached its timeout."""


class InteractResult(_InteractResultRequired, total=False):
    output: str
    """Answer to a prompt."""
    error: str
    """Error of the run."""
    truncated: bool
    """True if the output was truncated."""
    warning: str


class _JobStatusRequired(TypedDict):
    success: Literal[True]
    status: Literal["scraping", "completed", "failed", "cancelled"]
    total: int
    """Pages that did not fail."""
    completed: int
    creditsUsed: int
    expiresAt: str
    createdAt: str
    data: list[Document]


class JobStatus(_JobStatusRequired, total=False):
    completedAt: str
    duration: float
    """Seconds from the start to the end; present after the end."""
    error: str
    """Reason for the failure."""
    next: str
    """URL of the next documents; absent if none are available now."""
    warning: str


class JobTraceError1(TypedDict):
    code: str
    error: str
    detail: dict[str, Any]


class JobTracePages1ErrorsItem(TypedDict):
    code: str
    count: int
    id: str
    """Id of one of these jobs."""


class JobTracePages1(TypedDict):
    queued: int
    running: int
    completed: int
    failed: int
    cancelled: int
    skipped: dict[str, int]
    """URLs that a crawl skipped, by reason."""
    errors: list[JobTracePages1ErrorsItem]
    """Reasons for failed pages, the most frequent first."""
    notes: list[str]
    """Warnings of the crawl about its site."""


class _JobTraceDeliveriesItemAttemptsItemRequired(TypedDict):
    at: str
    ms: int
    """Duration of the attempt."""


class JobTraceDeliveriesItemAttemptsItem(_JobTraceDeliveriesItemAttemptsItemRequired, total=False):
    status: int
    """Response of the receiver."""
    error: str


class _JobTraceDeliveriesItemRequired(TypedDict):
    webhookId: str
    """Id of the delivery, the same in all its attempts."""
    id: str
    """Id of the job that the event is about."""
    type: str
    """Event type and payload."""
    state: Literal["waiting", "delivered", "failed"]
    attempts: list[JobTraceDeliveriesItemAttemptsItem]
    createdAt: str


class JobTraceDeliveriesItem(_JobTraceDeliveriesItemRequired, total=False):
    nextAttemptAt: str
    """Present while the delivery waits."""


class JobTrace(TypedDict):
    id: str
    kind: str
    state: str
    target: Union[str, None]
    parentId: Union[str, None]
    """Crawl or batch that contains the page."""
    attempts: int
    """Number of starts."""
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    credits: float
    """Charged credits, or reserved credits while the job runs."""
    error: Union[JobTraceError1, None]
    steps: list[TraceStep]
    """Events in order. Empty while the job runs; for a crawl, the events of its start."""
    pages: Union[JobTracePages1, None]
    """Only for a crawl or a batch."""
    deliveries: list[JobTraceDeliveriesItem]
    """Webhook deliveries of the job, newest first."""


class _JsonFormatRequired(TypedDict):
    type: Literal["json"]


class JsonFormat(_JsonFormatRequired, total=False):
    """Values of the page for a JSON schema, each with its evidence. Values that the page does not contain are omitted."""
    schema: Any
    """JSON schema of the values."""
    prompt: Union[str, None]
    """Description of the values in natural language. Only a language model uses it."""
    checkPromptInjection: Union[bool, None]
    """Accepted without effect: instructions on a page never change the values."""


class LinksFormat(TypedDict):
    """Absolute URLs of the links of the page, in document order, without duplicates."""
    type: Literal["links"]


class Location(TypedDict, total=False):
    country: str
    languages: list[str]


class _MapLinkRequired(TypedDict):
    url: str


class MapLink(_MapLinkRequired, total=False):
    title: str
    description: str


class _MapRequestRequired(TypedDict):
    url: str
    """URL of the site, or of a part of it."""


class MapRequest(_MapRequestRequired, total=False):
    search: str
    """Sorts all found pages by relevance to this text before limit applies. Only the first 50 words count."""
    sitemap: Literal["skip", "include", "only"]
    """skip: ignore sitemaps; only: read nothing but sitemaps; include: read sitemaps and links, so the list is never shorter than with skip."""
    includeSubdomains: bool
    """Also list pages of other subdomains."""
    ignoreQueryParameters: bool
    """Skip URLs with a query."""
    ignoreCache: bool
    """Read sitemaps again; by default they are cached for seven days."""
    limit: int
    """Maximum number of pages in the response."""
    timeout: float
    """Time budget (ms). The call returns the pages found by then."""
    location: Location
    """Country and languages to emulate."""
    headers: dict[str, str]
    """Headers sent to the site with each request for links."""
    includePaths: list[str]
    """Regular expressions: only pages with a matching path are listed."""
    excludePaths: list[str]
    """Regular expressions: pages with a matching path are not listed."""
    allowExternalLinks: bool
    """List pages of other sites that the site links to."""
    filterByPath: bool
    """If the URL has a path, list only pages below it."""
    useIndex: bool
    """No effect: there is no index of other sites."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class MarkdownFormat(TypedDict):
    """The page as Markdown."""
    type: Literal["markdown"]


class MenuFormat(TypedDict):
    """Removed. Instead, request json with a schema of the items and their prices."""
    type: Literal["menu"]


class NewsResultAttributesItem(TypedDict):
    selector: str
    attribute: str
    values: list[str]


class _NewsResultJsonEvidenceValueRequired(TypedDict):
    text: str
    """Text of the page at this position."""
    reader: str
    """Source of the value: json-ld, microdata, label, table, records and others."""


class NewsResultJsonEvidenceValue(_NewsResultJsonEvidenceValueRequired, total=False):
    selector: str
    """CSS selector of the element that contains the text."""
    property: str
    """The property in structured data or metadata."""


class _NewsResultRequired(TypedDict):
    title: str
    snippet: str
    url: str
    position: int
    """Position in the list, from 1."""


class NewsResult(_NewsResultRequired, total=False):
    marks: list[list[Any]]
    """Ranges of query terms in the accompanying text: start (inclusive), end (exclusive)."""
    date: str
    imageUrl: str
    attributes: list[NewsResultAttributesItem]
    """The values in document order, unchanged: URLs are not resolved."""
    audio: str
    """URL of the MP3; it expires after one hour."""
    textBlocks: list[TextBlock]
    """Text blocks of the page in order, kept or omitted."""
    branding: Branding
    """Colours, fonts, spacing, buttons and logo, if the page shows them."""
    changeTracking: ChangeTracking
    """Changes since the previous version."""
    json: Any
    """Values in the shape of the schema."""
    jsonEvidence: dict[str, NewsResultJsonEvidenceValue]
    """Source of each value by its path: `offers.price`, `items[0].name`."""
    highlights: str
    """Sentences of the page, unchanged, the best passage first, with blank lines between passages."""
    html: str
    """Cleaned HTML."""
    images: list[str]
    """Absolute URLs of the images."""
    links: list[str]
    """Absolute URLs that the page links to."""
    markdown: str
    """The page as Markdown."""
    product: Product
    """The product and its variants; at least one."""
    answer: str
    """A short answer if one is certain, followed by the relevant sentences of the page as Markdown quotes."""
    rawBase64: str
    """The body as received, in base64."""
    rawHtml: str
    """The page as received."""
    screenshot: str
    """URL of the screenshot; it expires after 24 hours."""
    summary: str
    """Three to five sentences; for a list, its title and first entries, one per line."""
    pages: list[PdfPage]
    """The pages of a PDF; present if the parser option pages is set."""
    blocks: list[PdfPageBlocks]
    """The blocks of each page of a PDF; present if the parser option blocks is set."""
    actions: ActionResults
    """Results of the actions, in order; present if the request has actions."""
    task: TaskResult
    """Summary of the steps of the agent before the page was read, written by the language model."""
    warning: str
    """Information for the caller: options without effect, limits reached."""
    metadata: ResultMetadata


class OperatorKeyTeam(TypedDict):
    id: str
    name: str


class OperatorKey(TypedDict):
    id: str
    hint: str
    """Prefix of the key."""
    team: OperatorKeyTeam
    isOperator: bool
    createdAt: str
    lastUsedAt: Union[str, None]
    """At most ten minutes old; null if unknown."""
    revokedAt: Union[str, None]


class OperatorTeam(TypedDict):
    id: str
    name: str
    balance: Union[int, None]
    """Remaining credits; null if the team has no limit."""
    unlimited: bool
    concurrency: int
    """Maximum number of concurrent jobs of the team."""
    hasDefaultConcurrency: bool
    """True if the concurrency is TEAM_CONCURRENCY."""
    zeroDataRetention: bool
    """True if requests of the team may use zero data retention."""
    searchIndex: bool
    """True if stored pages of the team are indexed, so its searches find them."""
    signsWebhooks: bool
    """True if the team has a secret that signs its webhooks."""
    derivedWebhookSecret: Union[str, None]
    """Secret derived from WEBHOOK_SECRET that signs the webhooks of this team. Null if the team has its own secret or is the first team, or if WEBHOOK_SECRET is not set."""
    keys: int
    """Active keys."""
    creditsUsed: int
    """Calls in the last 30 days."""
    createdAt: str


class _PageErrorRequired(TypedDict):
    id: str
    url: str
    code: str
    error: str


class PageError(_PageErrorRequired, total=False):
    timestamp: str


class PageVersion(TypedDict):
    id: str
    at: str
    """Time when the version was first seen."""
    lastSeen: str
    """Time when the version was last seen."""
    size: Union[int, None]
    """Size of its Markdown in bytes; null if it was not recorded."""


class _PaperRequired(TypedDict):
    paperId: str
    ids: dict[str, list[str]]
    """Ids of the paper by scheme."""
    title: str
    abstract: str
    url: str


class Paper(_PaperRequired, total=False):
    pdfUrl: str
    authors: str
    """Names, separated by commas."""
    categories: list[str]
    createdDate: str
    updateDate: str


class PaperResultSignals(TypedDict):
    structural: float
    semantic: float
    articleRank: float
    """Number of citations."""
    seedOverlap: float


class _PaperResultRequired(TypedDict):
    paperId: str
    primaryId: str
    """Id for requests about the paper."""
    ids: dict[str, list[str]]
    """Ids of the paper by scheme."""
    title: str
    abstract: str
    """Empty if no provider has it."""
    url: str
    score: float


class PaperResult(_PaperResultRequired, total=False):
    signals: PaperResultSignals


class ParseOptions(TypedDict, total=False):
    formats: list[Format]
    """Formats to return. An empty list returns only metadata."""
    onlyMainContent: bool
    """Omit headers, navigation and footers."""
    mainContentMode: Literal["balanced", "container", "article"]
    """Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it."""
    includeTags: list[str]
    """CSS selectors: keep only what they match."""
    excludeTags: list[str]
    """CSS selectors: remove what they match."""
    headers: dict[str, str]
    """No effect: a file requires no fetch."""
    timeout: int
    """Time budget of the complete request (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    skipTlsVerification: bool
    """No effect: a file requires no fetch."""
    removeBase64Images: bool
    """Omit embedded images from the Markdown."""
    blockAds: bool
    """No effect: a file requires no fetch."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """No effect: a file requires no fetch."""
    fastMode: bool
    """No effect: a file requires no fetch."""
    onlyCleanContent: bool
    """Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention."""
    redactPII: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in formats derived from it."""
    zeroDataRetention: bool
    """Store nothing of this request. Must be enabled for the team."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""
    actions: list[Any]
    waitFor: float
    location: Any
    mobile: bool
    maxAge: float
    minAge: float
    storeInCache: bool
    lockdown: bool
    profile: Any


class ParsedDocumentAttributesItem(TypedDict):
    selector: str
    attribute: str
    values: list[str]


class _ParsedDocumentJsonEvidenceValueRequired(TypedDict):
    text: str
    """Text of the page at this position."""
    reader: str
    """Source of the value: json-ld, microdata, label, table, records and others."""


class ParsedDocumentJsonEvidenceValue(_ParsedDocumentJsonEvidenceValueRequired, total=False):
    selector: str
    """CSS selector of the element that contains the text."""
    property: str
    """The property in structured data or metadata."""


class _ParsedDocumentRequired(TypedDict):
    metadata: ParsedDocumentMetadata


class ParsedDocument(_ParsedDocumentRequired, total=False):
    attributes: list[ParsedDocumentAttributesItem]
    """The values in document order, unchanged: URLs are not resolved."""
    audio: str
    """URL of the MP3; it expires after one hour."""
    textBlocks: list[TextBlock]
    """Text blocks of the page in order, kept or omitted."""
    branding: Branding
    """Colours, fonts, spacing, buttons and logo, if the page shows them."""
    changeTracking: ChangeTracking
    """Changes since the previous version."""
    json: Any
    """Values in the shape of the schema."""
    jsonEvidence: dict[str, ParsedDocumentJsonEvidenceValue]
    """Source of each value by its path: `offers.price`, `items[0].name`."""
    highlights: str
    """Sentences of the page, unchanged, the best passage first, with blank lines between passages."""
    html: str
    """Cleaned HTML."""
    images: list[str]
    """Absolute URLs of the images."""
    links: list[str]
    """Absolute URLs that the page links to."""
    markdown: str
    """The page as Markdown."""
    product: Product
    """The product and its variants; at least one."""
    answer: str
    """A short answer if one is certain, followed by the relevant sentences of the page as Markdown quotes."""
    rawBase64: str
    """The body as received, in base64."""
    rawHtml: str
    """The page as received."""
    screenshot: str
    """URL of the screenshot; it expires after 24 hours."""
    summary: str
    """Three to five sentences; for a list, its title and first entries, one per line."""
    pages: list[PdfPage]
    """The pages of a PDF; present if the parser option pages is set."""
    blocks: list[PdfPageBlocks]
    """The blocks of each page of a PDF; present if the parser option blocks is set."""
    task: TaskResult
    """Summary of the steps of the agent before the page was read, written by the language model."""
    warning: str
    """Information for the caller: options without effect, limits reached."""


class _ParsedDocumentMetadataRequired(TypedDict):
    sourceURL: str
    """Name of the uploaded file, which has no URL."""
    statusCode: int
    """HTTP status of the site; 500 if the stored document is damaged."""
    scrapeId: str
    """Id of this job."""
    creditsUsed: int
    sourceFile: str
    """Name of the uploaded file."""


class ParsedDocumentMetadata(_ParsedDocumentMetadataRequired, total=False):
    title: str
    description: str
    language: str
    keywords: str
    ogLocaleAlternate: list[str]
    contentType: str
    error: str
    """Present if the site returned an error status, or the stored document is damaged."""
    code: str
    """Error code; present if the stored document is damaged."""
    cacheState: Literal["hit", "miss"]
    """Absent if the cache was not used."""
    cachedAt: str
    numPages: int
    """Pages that were converted."""
    totalPages: int
    """Pages of the file."""
    concurrencyLimited: bool
    concurrencyQueueDurationMs: int


class _PdfActionRequired(TypedDict):
    type: Literal["pdf"]


class PdfAction(_PdfActionRequired, total=False):
    """Prints the page to a PDF file."""
    format: Literal["A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"]
    landscape: bool
    scale: float


class PdfPage(TypedDict):
    pageNumber: int
    markdown: str


class _PdfPageBlocksItemsItemConfidenceRequired(TypedDict):
    layout: float


class PdfPageBlocksItemsItemConfidence(_PdfPageBlocksItemsItemConfidenceRequired, total=False):
    ocr: float


class _PdfPageBlocksItemsItemRequired(TypedDict):
    id: str
    type: str
    label: str
    bbox: list[float]
    """Left, top, right, bottom, each from 0 to 1."""
    content: str
    markdownSpan: list[int]
    """Start and end in the Markdown of the page."""
    readingOrder: int
    source: Literal["text", "ocr"]


class PdfPageBlocksItemsItem(_PdfPageBlocksItemsItemRequired, total=False):
    confidence: PdfPageBlocksItemsItemConfidence


class PdfPageBlocks(TypedDict):
    pageNumber: int
    width: float
    height: float
    status: Literal["ok", "partial", "failed"]
    items: list[PdfPageBlocksItemsItem]


class _PdfParserRequired(TypedDict):
    type: Literal["pdf"]


class PdfParser(_PdfParserRequired, total=False):
    mode: Literal["fast", "auto", "ocr"]
    """fast: only the text layer. auto: OCR for pages without text. ocr: OCR for all pages."""
    maxPages: int
    """Convert only the first pages."""
    pages: bool
    """Also return each page separately."""
    pageMarkdown: bool
    """Older name of pages."""
    blocks: bool
    """Return the blocks of each page with their positions."""
    pageMarkers: bool
    """Mark the start of each page in the Markdown."""


class PressAction(TypedDict):
    """Presses a key, such as Enter or Control+A."""
    type: Literal["press"]
    key: str


class _ProductVariantsItemPriceRequired(TypedDict):
    amount: float


class ProductVariantsItemPrice(_ProductVariantsItemPriceRequired, total=False):
    currency: str
    """Only if the page states it."""
    formatted: str
    """Verbatim text of the page."""


class _ProductVariantsItemSaleOriginalPriceRequired(TypedDict):
    amount: float


class ProductVariantsItemSaleOriginalPrice(_ProductVariantsItemSaleOriginalPriceRequired, total=False):
    currency: str
    """Only if the page states it."""
    formatted: str
    """Verbatim text of the page."""


class ProductVariantsItemSale(TypedDict):
    originalPrice: ProductVariantsItemSaleOriginalPrice


class _ProductVariantsItemAvailabilityRequired(TypedDict):
    inStock: bool


class ProductVariantsItemAvailability(_ProductVariantsItemAvailabilityRequired, total=False):
    text: str


class _ProductVariantsItemImagesItemRequired(TypedDict):
    url: str


class ProductVariantsItemImagesItem(_ProductVariantsItemImagesItemRequired, total=False):
    alt: str


class _ProductVariantsItemRequired(TypedDict):
    availability: ProductVariantsItemAvailability


class ProductVariantsItem(_ProductVariantsItemRequired, total=False):
    id: str
    sku: str
    title: str
    values: dict[str, Any]
    """Variant options such as colour and size."""
    price: ProductVariantsItemPrice
    sale: ProductVariantsItemSale
    images: list[ProductVariantsItemImagesItem]


class _ProductRequired(TypedDict):
    title: str
    url: str
    variants: list[ProductVariantsItem]


class Product(_ProductRequired, total=False):
    brand: str
    category: str
    description: str


class ProductFormat(TypedDict):
    """Product that the page sells, from its structured data."""
    type: Literal["product"]


class _ProfileRequired(TypedDict):
    name: str
    """Scrapes and sessions with the same name share storage."""


class Profile(_ProfileRequired, total=False):
    saveChanges: bool
    """Save the storage at the end. Only one request may save at a time; false only loads."""


class _QueryFormatRequired(TypedDict):
    type: Literal["query"]
    prompt: str
    """The question, or the query for passages."""


class QueryFormat(_QueryFormatRequired, total=False):
    """Older name of question (mode freeform) and highlights (mode directQuote)."""
    mode: Literal["freeform", "directQuote"]
    """freeform: as question, in `answer`. directQuote: as highlights, in `highlights`."""


class QuestionFormat(TypedDict):
    """Answer to a question, based only on the page."""
    type: Literal["question"]
    question: str
    """Question to answer."""


class RawBase64Format(TypedDict):
    """The body as received, in base64; must be the only format of the request."""
    type: Literal["rawBase64"]


class RawHtmlFormat(TypedDict):
    """The page as received, decoded to text."""
    type: Literal["rawHtml"]


class RedactPII(TypedDict, total=False):
    mode: Literal["accurate", "aggressive", "fast"]
    """accurate: matches with a checksum, a distinctive shape or a nearby keyword. aggressive: any matching shape. fast: only checksums and distinctive shapes."""
    entities: list[Literal["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"]]
    """Kinds of personal data. Default: all."""
    replaceStyle: Literal["tag", "mask", "remove"]
    """tag: the name of the kind, such as <EMAIL>. mask: a block for each character. remove: no replacement."""


class ResultMetadata(TypedDict, total=False):
    title: str
    description: str
    language: str
    keywords: str
    ogLocaleAlternate: list[str]
    sourceURL: str
    """URL as requested."""
    url: str
    """URL after redirects."""
    statusCode: int
    """HTTP status of the site; 500 if the stored document is damaged."""
    contentType: str
    error: str
    """Present if the site returned an error status, or the stored document is damaged."""
    code: str
    """Error code; present if the stored document is damaged."""
    scrapeId: str
    """Id of this job."""
    engine: Literal["http", "chromium"]
    """Engine that fetched the page: plain HTTP or a browser; for a cached page, the engine that fetched it originally."""
    proxyUsed: Literal["basic", "stealth"]
    cacheState: Literal["hit", "miss"]
    """Absent if the cache was not used."""
    cachedAt: str
    creditsUsed: int
    numPages: int
    """Pages of a PDF that were converted."""
    totalPages: int
    """Pages of the PDF."""
    concurrencyLimited: bool
    concurrencyQueueDurationMs: int


class SavedProfile(TypedDict):
    name: str
    savedAt: Union[str, None]
    """Null if nothing has been saved."""
    inUse: bool
    """True if a session or a scrape will save to it; until then it cannot be deleted."""


class ScrapeAction(TypedDict):
    """Returns the current URL and HTML of the page."""
    type: Literal["scrape"]


class ScrapeOptions(TypedDict, total=False):
    formats: list[Format]
    """Formats to return. An empty list returns only metadata."""
    onlyMainContent: bool
    """Omit headers, navigation and footers."""
    mainContentMode: Literal["balanced", "container", "article"]
    """Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it."""
    onlyCleanContent: bool
    """Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention."""
    includeTags: list[str]
    """CSS selectors: keep only what they match."""
    excludeTags: list[str]
    """CSS selectors: remove what they match."""
    maxAge: int
    """Use a cached page younger than this (ms). Default: two days; 0 always fetches."""
    minAge: int
    """Use a cached page at least this old (ms), and never fetch."""
    headers: dict[str, str]
    """Headers sent to the site. Disables the cache."""
    waitFor: int
    """Additional wait (ms) before the page is read."""
    mobile: bool
    """Emulate a mobile device."""
    skipTlsVerification: bool
    """Accept invalid certificates."""
    timeout: int
    """Time budget of the complete request (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    removeBase64Images: bool
    """Omit embedded images from the Markdown."""
    blockAds: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """Proxy tier for reaching the site."""
    storeInCache: bool
    """Cache the page for later requests. Default: true."""
    lockdown: bool
    """Serve only from the cache; never contact the site."""
    profile: Profile
    """Browser storage that is kept between requests: cookies, local storage, databases. Disables the cache."""
    fastMode: bool
    """Never use a browser."""
    redactPII: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in formats derived from it."""


class _ScrapeRequestRequired(TypedDict):
    url: str
    """URL to scrape. The default scheme is http."""


class ScrapeRequest(_ScrapeRequestRequired, total=False):
    formats: list[Format]
    """Formats to return. An empty list returns only metadata."""
    onlyMainContent: bool
    """Omit headers, navigation and footers."""
    mainContentMode: Literal["balanced", "container", "article"]
    """Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it."""
    onlyCleanContent: bool
    """Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention."""
    includeTags: list[str]
    """CSS selectors: keep only what they match."""
    excludeTags: list[str]
    """CSS selectors: remove what they match."""
    maxAge: int
    """Use a cached page younger than this (ms). Default: two days; 0 always fetches."""
    minAge: int
    """Use a cached page at least this old (ms), and never fetch."""
    headers: dict[str, str]
    """Headers sent to the site. Disables the cache."""
    waitFor: int
    """Additional wait (ms) before the page is read."""
    mobile: bool
    """Emulate a mobile device."""
    skipTlsVerification: bool
    """Accept invalid certificates."""
    timeout: int
    """Time budget of the complete request (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    removeBase64Images: bool
    """Omit embedded images from the Markdown."""
    blockAds: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """Proxy tier for reaching the site."""
    storeInCache: bool
    """Cache the page for later requests. Default: true."""
    lockdown: bool
    """Serve only from the cache; never contact the site."""
    profile: Profile
    """Browser storage that is kept between requests: cookies, local storage, databases. Disables the cache."""
    fastMode: bool
    """Never use a browser."""
    redactPII: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in formats derived from it."""
    zeroDataRetention: bool
    """Store nothing of this request. Must be enabled for the team."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class ScreenshotActionViewport(TypedDict):
    width: int
    height: int


class _ScreenshotActionRequired(TypedDict):
    type: Literal["screenshot"]


class ScreenshotAction(_ScreenshotActionRequired, total=False):
    """Takes a screenshot of the current page."""
    fullPage: bool
    quality: float
    viewport: ScreenshotActionViewport


class ScreenshotFormatViewport(TypedDict):
    """Size of the browser window."""
    width: int
    height: int


class _ScreenshotFormatRequired(TypedDict):
    type: Literal["screenshot"]


class ScreenshotFormat(_ScreenshotFormatRequired, total=False):
    """A screenshot of the page."""
    fullPage: bool
    """Capture the complete page instead of the visible part."""
    quality: float
    """Quality of a JPEG; without it, the result is a PNG."""
    viewport: ScreenshotFormatViewport
    """Size of the browser window."""


class _ScrollActionRequired(TypedDict):
    type: Literal["scroll"]


class ScrollAction(_ScrollActionRequired, total=False):
    """Scrolls the page, or an element, by one screen."""
    direction: Literal["up", "down"]
    selector: str


class SearchCategory2(TypedDict):
    type: Literal["github", "research", "pdf"]


class SearchData(TypedDict, total=False):
    web: list[WebResult]
    images: list[ImageResult]
    news: list[NewsResult]


class _SearchFeedbackRequestValuableSourcesItemRequired(TypedDict):
    url: str
    """A result that was useful."""


class SearchFeedbackRequestValuableSourcesItem(_SearchFeedbackRequestValuableSourcesItemRequired, total=False):
    reason: str


class _SearchFeedbackRequestMissingContentItemRequired(TypedDict):
    topic: str
    """Expected but missing result."""


class SearchFeedbackRequestMissingContentItem(_SearchFeedbackRequestMissingContentItemRequired, total=False):
    description: str


class _SearchFeedbackRequestRequired(TypedDict):
    rating: Literal["good", "partial", "bad"]


class SearchFeedbackRequest(_SearchFeedbackRequestRequired, total=False):
    valuableSources: list[SearchFeedbackRequestValuableSourcesItem]
    valuableResultPositions: list[int]
    """The same by position in the list of results."""
    missingContent: list[SearchFeedbackRequestMissingContentItem]
    querySuggestions: str
    """Suggested change of the query."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _SearchRequestRequired(TypedDict):
    query: str
    """Search query. Operators: quotes, minus, OR, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize:, larger:."""


class SearchRequest(_SearchRequestRequired, total=False):
    limit: int
    """Maximum number of results of each source."""
    sources: list[Union[SearchSource, AbsentSearchSource]]
    """Lists in the response. alexandria and exchange are not available and are omitted."""
    categories: list[SearchCategory]
    """Only web results of these kinds; each result names its category."""
    includeDomains: list[str]
    """Only results of these hosts. Excludes excludeDomains."""
    excludeDomains: list[str]
    """No results of these hosts. Excludes includeDomains."""
    tbs: str
    """Time range and order, combined by commas: qdr:h, d, w, m or y, also with a number (qdr:d3); cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 for the newest first. Images have no time."""
    country: str
    """ISO 3166 code of a country. Default: US, unless location is given."""
    location: str
    """Location name: `City,Region,Country`. Works best together with country."""
    lang: str
    """ISO 639 code of a language."""
    timeout: float
    """Time budget of the complete request (ms)."""
    ignoreInvalidURLs: bool
    """Omit results whose URL other endpoints would reject."""
    enterprise: list[Literal["anon", "zdr", "default"]]
    """zdr, anon: store nothing of this request. Must be enabled for the team."""
    scrapeOptions: ScrapeOptions
    """Scrape options of each result; without formats, results are not scraped."""
    asyncScraping: bool
    """Respond before the results are scraped; scrapeIds names the jobs."""
    highlights: bool
    """Describe results from your indexed pages by the passage that answers, not by their first sentences."""
    safe: bool
    """Omit explicit results, if the provider supports it."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _SearchSourceOptionsRequired(TypedDict):
    type: Literal["web", "images", "news"]


class SearchSourceOptions(_SearchSourceOptionsRequired, total=False):
    tbs: str
    """Time range and order, combined by commas: qdr:h, d, w, m or y, also with a number (qdr:d3); cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 for the newest first. Images have no time."""
    country: str
    """ISO 3166 code of a country. Default: US, unless location is given."""
    location: str
    """Location name: `City,Region,Country`. Works best together with country."""
    lang: str
    """ISO 639 code of a language."""
    filter: Any


class Session(TypedDict):
    id: str
    status: Literal["active", "destroyed", "error"]
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """URL of a page to watch the browser live; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """URL of a page to watch and control the browser."""
    streamWebView: bool
    createdAt: str
    lastActivity: str


class SessionRequest(TypedDict, total=False):
    ttl: int
    """Maximum lifetime of the session in seconds."""
    activityTtl: int
    """Seconds without activity until the session ends."""
    streamWebView: bool
    """True if the session has a live view."""
    profile: Profile
    """Storage that is kept after the session ends."""
    recordSession: bool
    """Sessions are not recorded."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class SummaryFormat(TypedDict):
    """A few sentences about the page, in its language."""
    type: Literal["summary"]


class SupportAnswerValidation1(TypedDict):
    tested: bool
    result: Literal["success", "failure", "skipped"]
    evidence: str
    """Options and result of each trial, and its effects on the site."""


class SupportAnswerFeedback1(TypedDict):
    blockedBy: str
    attempted: list[str]


class SupportAnswer(TypedDict):
    requestId: str
    answer: str
    """Diagnosis and fix in two to four sentences."""
    confidence: Literal["high", "medium", "low"]
    cause: Union[str, None]
    """Name of the cause; null if none was found."""
    fixParameters: Union[dict[str, Any], None]
    """Options that fix the problem, to be merged into the request."""
    validation: Union[SupportAnswerValidation1, None]
    feedback: Union[SupportAnswerFeedback1, None]
    """Problem to solve: symptoms and attempted fixes."""
    jobId: Union[str, None]
    """Id of the diagnosed job."""
    durationMs: int


class _SupportQuestionRequired(TypedDict):
    question: str
    """Problem or question."""


class SupportQuestion(_SupportQuestionRequired, total=False):
    rationale: str
    """Goal of the end user, in one or two sentences."""
    jobId: str
    """Id of the job that the question is about."""
    context: dict[str, Any]
    """Additional context: the request, the error, attempted fixes."""
    allowActions: bool
    """Lets trials repeat the actions of the job and try clicks, each time with effects on the site: a form is submitted again. Without it, a job with such actions is not repeated."""


class _TaskResultRequired(TypedDict):
    answer: str
    steps: str


class TaskResult(_TaskResultRequired, total=False):
    stopped: str


class _TextBlockRequired(TypedDict):
    text: str
    """The first 300 characters."""
    selector: str
    """CSS selector of the parent element."""
    isKept: bool
    """True if the block is in the Markdown."""


class TextBlock(_TextBlockRequired, total=False):
    reason: Literal["hidden on the page", "advertisement or dialog", "excludeTags", "outside includeTags", "not main content", "onlyCleanContent"]
    """Reason for the omission; the same text as in the trace of the job."""
    probability: float
    """Probability from 0 to 1 that the block is content, judged separately. Neighbouring blocks may change the decision. Absent if main content detection is off, or the page has too little text."""


class _TraceStepPlanRequired(TypedDict):
    step: Literal["plan"]
    at: int
    """Milliseconds since the job was started."""
    formats: list[str]
    cache: Literal["read", "only", "not read"]
    keeps: bool
    """True if the page is stored in the cache."""
    proxy: Literal["basic", "enhanced", "auto"]
    timeoutMs: int
    """Milliseconds."""
    onlyMainContent: bool
    includeTags: int
    excludeTags: int
    waitForMs: int
    """Milliseconds."""
    actions: int


class TraceStepPlan(_TraceStepPlanRequired, total=False):
    """Plan of the request."""
    browserFor: str
    """Reason why only a browser can serve the request."""


class TraceStepQueue(TypedDict):
    """Wait for a slot of the team."""
    step: Literal["queue"]
    at: int
    """Milliseconds since the job was started."""
    waitedMs: int
    """Milliseconds."""


class _TraceStepCacheRequired(TypedDict):
    step: Literal["cache"]
    at: int
    """Milliseconds since the job was started."""
    result: Literal["hit", "miss"]


class TraceStepCache(_TraceStepCacheRequired, total=False):
    """Cache lookup, with the time of the cached fetch."""
    fetchedAt: int


class _TraceStepRobotsRequired(TypedDict):
    step: Literal["robots"]
    at: int
    """Milliseconds since the job was started."""
    result: Literal["allowed", "denied", "ignored"]


class TraceStepRobots(_TraceStepRobotsRequired, total=False):
    """Rule of robots.txt for a page of a crawl."""
    message: str


class _TraceStepSitemapsRequired(TypedDict):
    step: Literal["sitemaps"]
    at: int
    """Milliseconds since the job was started."""
    mode: Literal["include", "skip", "only"]
    files: int
    """Sitemaps and feeds that were read."""
    found: int
    """URLs in the sitemaps."""


class TraceStepSitemaps(_TraceStepSitemapsRequired, total=False):
    """Result of a crawl or a map reading the sitemaps of its site."""
    message: str


class _TraceStepFetchRequired(TypedDict):
    step: Literal["fetch"]
    at: int
    """Milliseconds since the job was started."""
    engine: str
    """http or chromium."""
    proxy: Literal["basic", "enhanced"]
    ms: int
    """Milliseconds."""
    result: Literal["page", "file", "error"]


class TraceStepFetch(_TraceStepFetchRequired, total=False):
    """One attempt to fetch the page."""
    status: int
    url: str
    """Final URL, if it differs from the requested one."""
    contentType: str
    characters: int
    """Only for a page rendered in a browser."""
    bytes: int
    code: str
    phase: str
    message: str


class _TraceStepVerdictRequired(TypedDict):
    step: Literal["verdict"]
    at: int
    """Milliseconds since the job was started."""
    kind: Literal["good", "needs-browser", "blocked"]


class TraceStepVerdict(_TraceStepVerdictRequired, total=False):
    """Classification of the fetched page."""
    reason: str


class TraceStepWait(TypedDict):
    """Wait of the browser until the page is complete."""
    step: Literal["wait"]
    at: int
    """Milliseconds since the job was started."""
    endedBy: Literal["at rest", "out of time"]
    ms: int
    """Milliseconds."""


class TraceStepConsent(TypedDict):
    """A consent dialog was on the page."""
    step: Literal["consent"]
    at: int
    """Milliseconds since the job was started."""
    answer: str


class TraceStepAction(TypedDict):
    """One action on the page."""
    step: Literal["action"]
    at: int
    """Milliseconds since the job was started."""
    index: int
    type: str
    ms: int
    """Milliseconds."""
    result: Literal["done", "failed"]


class TraceStepReadLeftOutItem(TypedDict):
    reason: str
    characters: int
    parts: int


class TraceStepRead(TypedDict):
    """Share of the page that became content."""
    step: Literal["read"]
    at: int
    """Milliseconds since the job was started."""
    pageCharacters: int
    """Text on the page."""
    keptCharacters: int
    """Text in the result."""
    leftOut: list[TraceStepReadLeftOutItem]
    """Omitted text by reason."""


class _TraceStepConvertRequired(TypedDict):
    step: Literal["convert"]
    at: int
    """Milliseconds since the job was started."""
    type: str


class TraceStepConvert(_TraceStepConvertRequired, total=False):
    """A file was converted."""
    pages: int


class TraceStepModel(TypedDict):
    """One call of the language model."""
    step: Literal["model"]
    at: int
    """Milliseconds since the job was started."""
    ms: int
    """Milliseconds."""
    inputTokens: int
    outputTokens: int


class _TraceStepWriteRequired(TypedDict):
    step: Literal["write"]
    at: int
    """Milliseconds since the job was started."""
    ms: int
    """Milliseconds."""
    warnings: list[str]


class TraceStepWrite(_TraceStepWriteRequired, total=False):
    """The formats were rendered."""
    markdownCharacters: int


class TraceStepOmitted(TypedDict):
    """The trace is truncated: there were more steps."""
    step: Literal["omitted"]
    at: int
    """Milliseconds since the job was started."""
    steps: int


class _TracedUrlRequired(TypedDict):
    url: str
    status: Literal["mapped", "scraped", "error"]
    usedInCompletion: bool


class TracedUrl(_TracedUrlRequired, total=False):
    error: str


class TrackedHistory(TypedDict):
    id: str
    url: str
    tag: Union[str, None]
    """Name of the history; null if none was given."""
    isRedacted: bool
    """True if personal data was redacted; such versions form a separate history."""
    versions: int
    """Stored versions, at most ten."""
    firstSeen: str
    lastSeen: str
    lastChange: str
    """Time when the latest version was first seen."""
    changeStatus: Union[Literal["new", "same", "changed", "removed"], None]
    """Result of the last comparison; null if it was not recorded."""
    history: list[PageVersion]


class TrackedPage(TypedDict):
    id: str
    url: str
    tag: Union[str, None]
    """Name of the history; null if none was given."""
    isRedacted: bool
    """True if personal data was redacted; such versions form a separate history."""
    versions: int
    """Stored versions, at most ten."""
    firstSeen: str
    lastSeen: str
    lastChange: str
    """Time when the latest version was first seen."""
    changeStatus: Union[Literal["new", "same", "changed", "removed"], None]
    """Result of the last comparison; null if it was not recorded."""


class VideoFormat(TypedDict):
    """Video of the page. Not available."""
    type: Literal["video"]


class _WaitActionRequired(TypedDict):
    type: Literal["wait"]


class WaitAction(_WaitActionRequired, total=False):
    """Waits for a fixed time, or until an element exists; exactly one of the two."""
    milliseconds: int
    selector: str


class WebResultAttributesItem(TypedDict):
    selector: str
    attribute: str
    values: list[str]


class _WebResultJsonEvidenceValueRequired(TypedDict):
    text: str
    """Text of the page at this position."""
    reader: str
    """Source of the value: json-ld, microdata, label, table, records and others."""


class WebResultJsonEvidenceValue(_WebResultJsonEvidenceValueRequired, total=False):
    selector: str
    """CSS selector of the element that contains the text."""
    property: str
    """The property in structured data or metadata."""


class _WebResultRequired(TypedDict):
    title: str
    description: str
    url: str
    position: int
    """Position in the list, from 1."""


class WebResult(_WebResultRequired, total=False):
    marks: list[list[Any]]
    """Ranges of query terms in the accompanying text: start (inclusive), end (exclusive)."""
    category: Literal["github", "research", "pdf"]
    date: str
    attributes: list[WebResultAttributesItem]
    """The values in document order, unchanged: URLs are not resolved."""
    audio: str
    """URL of the MP3; it expires after one hour."""
    textBlocks: list[TextBlock]
    """Text blocks of the page in order, kept or omitted."""
    branding: Branding
    """Colours, fonts, spacing, buttons and logo, if the page shows them."""
    changeTracking: ChangeTracking
    """Changes since the previous version."""
    json: Any
    """Values in the shape of the schema."""
    jsonEvidence: dict[str, WebResultJsonEvidenceValue]
    """Source of each value by its path: `offers.price`, `items[0].name`."""
    highlights: str
    """Sentences of the page, unchanged, the best passage first, with blank lines between passages."""
    html: str
    """Cleaned HTML."""
    images: list[str]
    """Absolute URLs of the images."""
    links: list[str]
    """Absolute URLs that the page links to."""
    markdown: str
    """The page as Markdown."""
    product: Product
    """The product and its variants; at least one."""
    answer: str
    """A short answer if one is certain, followed by the relevant sentences of the page as Markdown quotes."""
    rawBase64: str
    """The body as received, in base64."""
    rawHtml: str
    """The page as received."""
    screenshot: str
    """URL of the screenshot; it expires after 24 hours."""
    summary: str
    """Three to five sentences; for a list, its title and first entries, one per line."""
    pages: list[PdfPage]
    """The pages of a PDF; present if the parser option pages is set."""
    blocks: list[PdfPageBlocks]
    """The blocks of each page of a PDF; present if the parser option blocks is set."""
    actions: ActionResults
    """Results of the actions, in order; present if the request has actions."""
    task: TaskResult
    """Summary of the steps of the agent before the page was read, written by the language model."""
    warning: str
    """Information for the caller: options without effect, limits reached."""
    metadata: ResultMetadata


class _WebhookRequired(TypedDict):
    url: str


class Webhook(_WebhookRequired, total=False):
    headers: dict[str, str]
    """Headers sent with each delivery."""
    metadata: dict[str, Any]
    """Returned unchanged in each delivery."""
    events: list[str]
    """Events that are delivered. Default: all."""


class WriteAction(TypedDict):
    """Types text into the focused element, character by character; click it first."""
    type: Literal["write"]
    text: str


class AgentQuery(TypedDict, total=False):
    """Request of: List the agents of the team, newest first."""
    before: int
    """Only runs from before this moment (ms since 1970)."""


class _GetAgentResponseRequired(TypedDict):
    success: Literal[True]
    agents: list[AgentListItem]


class GetAgentResponse(_GetAgentResponseRequired, total=False):
    """Response of: List the agents of the team, newest first."""
    next: str
    """URL of the next page of runs; absent on the last page."""
    warning: str


class AgentArguments(TypedDict, total=False):
    """Request of: Find pages for a task and read values from them, in the background."""
    urls: list[str]
    """Start URLs. A URL that ends in /* includes the pages of the site below it."""
    schema: Any
    """JSON schema of the values. Default: derived from the prompt."""
    max_credits: float
    """Maximum total cost. The run reads no page and searches nothing beyond it."""
    strict_constrain_to_urls: bool
    """Read only the pages in urls."""
    model: Literal["spark-1-pro", "spark-1-mini", "spark-2"]
    """No effect: the language model of this installation is used."""
    effort: Literal["low", "medium", "high"]
    """Maximum number of steps: low 5, medium 10, high 20. Default: medium."""
    webhook: Union[str, AgentWebhook]
    """Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events."""
    thread_id: str
    """Id of a conversation to continue; the agent knows its previous runs."""
    mode: Literal["extract", "chat"]
    """extract: values in data; chat: an answer in natural language in message."""
    exchange: Any
    """No effect: there are no paid providers."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostAgentResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the run."""
    threadId: str
    """Pass it in the next run to continue the conversation."""
    threadTurn: int


class PostAgentResponse(_PostAgentResponseRequired, total=False):
    """Response of: Find pages for a task and read values from them, in the background."""
    warning: str


class _DeleteAgentByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteAgentByIdResponse(_DeleteAgentByIdResponseRequired, total=False):
    """Response of: Cancel an agent."""
    warning: str


class _GetAgentSnapshotsByIdResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    snapshotId: str
    snapshot: str


class GetAgentSnapshotsByIdResponse(_GetAgentSnapshotsByIdResponseRequired, total=False):
    """Response of: Read the content that an event of the trace refers to."""
    warning: str


class AgentTraceQuery(TypedDict, total=False):
    """Request of: Read what an agent did, step by step."""
    live_view: str
    """Agents open no browser sessions here: the list is empty."""


class AgentThreadsByIdQuery(TypedDict, total=False):
    """Request of: Read the runs of a conversation, oldest first."""
    include_data: str
    """True to include the data of each run."""


class _GetAgentThreadsByIdResponseRequired(TypedDict):
    success: Literal[True]
    thread: AgentThread


class GetAgentThreadsByIdResponse(_GetAgentThreadsByIdResponseRequired, total=False):
    """Response of: Read the runs of a conversation, oldest first."""
    warning: str


class BatchScrapeArguments(TypedDict, total=False):
    """Request of: Scrape many URLs in the background."""
    formats: list[Format]
    """Formats to return. An empty list returns only metadata."""
    only_main_content: bool
    """Omit headers, navigation and footers."""
    main_content_mode: Literal["balanced", "container", "article"]
    """Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it."""
    only_clean_content: bool
    """Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention."""
    include_tags: list[str]
    """CSS selectors: keep only what they match."""
    exclude_tags: list[str]
    """CSS selectors: remove what they match."""
    max_age: int
    """Use a cached page younger than this (ms). Default: two days; 0 always fetches."""
    min_age: int
    """Use a cached page at least this old (ms), and never fetch."""
    headers: dict[str, str]
    """Headers sent to the site. Disables the cache."""
    wait_for: int
    """Additional wait (ms) before the page is read."""
    mobile: bool
    """Emulate a mobile device."""
    skip_tls_verification: bool
    """Accept invalid certificates."""
    timeout: int
    """Time budget of the complete request (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    remove_base64_images: bool
    """Omit embedded images from the Markdown."""
    block_ads: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """Proxy tier for reaching the site."""
    store_in_cache: bool
    """Cache the page for later requests. Default: true."""
    lockdown: bool
    """Serve only from the cache; never contact the site."""
    profile: Profile
    """Browser storage that is kept between requests: cookies, local storage, databases. Disables the cache."""
    fast_mode: bool
    """Never use a browser."""
    redact_pii: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in formats derived from it."""
    ignore_invalid_urls: bool
    """Skip invalid URLs instead of rejecting the call."""
    append_to_id: str
    """Id of a running or completed batch of the team, to which the URLs are added."""
    max_concurrency: int
    """Maximum number of concurrently scraped pages. Default: the slots of the team."""
    webhook: Union[str, Webhook]
    """Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events."""
    zero_data_retention: bool
    """Not available for batches, because their results are stored."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostBatchScrapeResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the batch."""
    url: str
    """URL of the status."""


class PostBatchScrapeResponse(_PostBatchScrapeResponseRequired, total=False):
    """Response of: Scrape many URLs in the background."""
    invalidURLs: list[str]
    """URLs that were skipped."""
    warning: str


class _DeleteBatchScrapeByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["cancelled"]


class DeleteBatchScrapeByIdResponse(_DeleteBatchScrapeByIdResponseRequired, total=False):
    """Response of: Cancel a batch; scraped pages stay readable."""
    warning: str


class BatchScrapeByIdQuery(TypedDict, total=False):
    """Request of: Read the progress and the documents of a batch."""
    skip: int
    """Number of documents to skip at the start."""
    limit: int
    """Maximum number of documents in one response."""


class BatchScrapeDownloadQuery(TypedDict, total=False):
    """Request of: Download the documents of a batch as one file."""
    format: Literal["jsonl", "csv", "zip"]
    """jsonl: one document per line, unchanged; csv: one row per page; zip: one Markdown file per page, named after its URL."""


class _GetBatchScrapeErrorsResponseRequired(TypedDict):
    success: Literal[True]
    errors: list[PageError]
    robotsBlocked: list[str]


class GetBatchScrapeErrorsResponse(_GetBatchScrapeErrorsResponseRequired, total=False):
    """Response of: List the URLs of a batch that failed, with reasons."""
    warning: str


class _PostBatchScrapeRetryResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the new batch."""
    url: str
    """URL of the status."""
    count: int
    """Number of pages that are retried."""


class PostBatchScrapeRetryResponse(_PostBatchScrapeRetryResponseRequired, total=False):
    """Response of: Retry the failed pages of a batch as a new batch."""
    warning: str


class BrowserQuery(TypedDict, total=False):
    """Request of: List the browser sessions of the team, newest first."""
    status: Literal["active", "destroyed", "error"]
    """Only sessions in this state."""


class _GetBrowserResponseRequired(TypedDict):
    success: Literal[True]
    sessions: list[Session]
    """Newest first; at most 1,000."""


class GetBrowserResponse(_GetBrowserResponseRequired, total=False):
    """Response of: List the browser sessions of the team, newest first."""
    warning: str


class BrowserArguments(TypedDict, total=False):
    """Request of: Open a browser session for code, DevTools or live view."""
    ttl: int
    """Maximum lifetime of the session in seconds."""
    activity_ttl: int
    """Seconds without activity until the session ends."""
    stream_web_view: bool
    """True if the session has a live view."""
    profile: Profile
    """Storage that is kept after the session ends."""
    record_session: bool
    """Sessions are not recorded."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostBrowserResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """URL of a page to watch the browser live; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """URL of a page to watch and control the browser."""
    expiresAt: str


class PostBrowserResponse(_PostBrowserResponseRequired, total=False):
    """Response of: Open a browser session for code, DevTools or live view."""
    warning: str


class _DeleteBrowserByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["active", "destroyed", "error"]
    sessionDurationMs: int
    creditsBilled: int


class DeleteBrowserByIdResponse(_DeleteBrowserByIdResponseRequired, total=False):
    """Response of: End a browser session and return its cost (idempotent)."""
    warning: str


class _GetBrowserByIdResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    status: Literal["active", "destroyed", "error"]
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """URL of a page to watch the browser live; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """URL of a page to watch and control the browser."""
    streamWebView: bool
    createdAt: str
    lastActivity: str
    expiresAt: str


class GetBrowserByIdResponse(_GetBrowserByIdResponseRequired, total=False):
    """Response of: Get a browser session."""
    sessionDurationMs: int
    """Duration of the session."""
    creditsBilled: int
    """Cost of the session, after its end."""
    error: str
    """Reason for the end, unless the session ended normally."""
    warning: str


class BrowserExecuteArguments(TypedDict, total=False):
    """Request of: Run code in a browser session; `error` describes a failure of the code."""
    language: Literal["python", "node", "bash"]
    """Language of the code; `bash` includes the command agent-browser."""
    timeout: int
    """Time limit of the code in seconds."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostBrowserExecuteResponseRequired(TypedDict):
    success: Literal[True]
    stdout: Union[str, None]
    result: Union[str, None]
    """Value of the last expression; for a prompt, the page at the end."""
    stderr: Union[str, None]
    exitCode: Union[int, None]
    """0 means success."""
    killed: bool
    """True if the run reached its timeout."""


class PostBrowserExecuteResponse(_PostBrowserExecuteResponseRequired, total=False):
    """Response of: Run code in a browser session; `error` describes a failure of the code."""
    error: str
    """Error of the run."""
    truncated: bool
    """True if the output was truncated."""
    warning: str


class _GetBrowserReplayResponseRequired(TypedDict):
    success: Literal[True]


class GetBrowserReplayResponse(_GetBrowserReplayResponseRequired, total=False):
    """Response of: Get the recording of a session; always 404, because sessions are not recorded."""
    warning: str


class _GetBrowserProfilesResponseRequired(TypedDict):
    success: Literal[True]
    profiles: list[SavedProfile]


class GetBrowserProfilesResponse(_GetBrowserProfilesResponseRequired, total=False):
    """Response of: List the profiles of the team by name, at most 1,000."""
    warning: str


class _DeleteBrowserProfilesByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteBrowserProfilesByIdResponse(_DeleteBrowserProfilesByIdResponseRequired, total=False):
    """Response of: Delete a profile (idempotent)."""
    warning: str


class _GetCapabilitiesResponseFeaturesItemRequired(TypedDict):
    name: str
    available: bool
    note: str
    """Description of the feature, or the reason why it is unavailable."""


class GetCapabilitiesResponseFeaturesItem(_GetCapabilitiesResponseFeaturesItemRequired, total=False):
    enable: str
    """Steps for an operator to enable the feature."""


class _GetCapabilitiesResponseRequired(TypedDict):
    success: Literal[True]
    version: str
    features: list[GetCapabilitiesResponseFeaturesItem]


class GetCapabilitiesResponse(_GetCapabilitiesResponseRequired, total=False):
    """Response of: List the features of this installation, with reasons for missing ones."""
    warning: str


class _GetConcurrencyCheckResponseRequired(TypedDict):
    success: Literal[True]
    concurrency: int
    maxConcurrency: int


class GetConcurrencyCheckResponse(_GetConcurrencyCheckResponseRequired, total=False):
    """Response of: Get used and available concurrency slots."""
    warning: str


class _PostConsoleKeyResponseRequired(TypedDict):
    success: Literal[True]
    key: str
    """The key from the file api-key in DATA_DIR."""


class PostConsoleKeyResponse(_PostConsoleKeyResponseRequired, total=False):
    """Response of: Exchange the one-time login code for the API key of this machine."""
    warning: str


class CrawlArguments(TypedDict, total=False):
    """Request of: Scrape the pages of a site in the background."""
    prompt: str
    """Description of the crawl in natural language. Explicit options take precedence."""
    include_paths: list[str]
    """Regular expressions: only pages with a matching path are scraped."""
    exclude_paths: list[str]
    """Regular expressions: pages with a matching path are not scraped."""
    regex_on_full_url: bool
    """Match patterns against the complete URL instead of the path. Default: false."""
    max_discovery_depth: int
    """Maximum number of links from the start. Links on pages at the limit are not followed."""
    sitemap: Literal["skip", "include", "only"]
    """Use of sitemaps. Default: include."""
    ignore_query_parameters: bool
    """Treat pages that differ only in their query as one page. Default: false."""
    deduplicate_similar_urls: bool
    """Treat URLs as equal that differ in www, http, a trailing slash or an index file. Default: true."""
    limit: int
    """Maximum number of pages. Default: 10000."""
    crawl_entire_domain: bool
    """Follow links to pages outside the start path. Default: only pages below it."""
    allow_external_links: bool
    """Scrape pages of other sites that the site links to, but do not follow their links. Default: false."""
    remove_repeated_content: bool
    """Omit texts that most pages of the site repeat; headings, terms, cells and code are never omitted. Default: false: each page is read as if it were scraped separately."""
    allow_subdomains: bool
    """Follow links to other subdomains. Default: false."""
    ignore_robots_txt: bool
    """Ignore robots.txt. Default: false."""
    robots_user_agent: str
    """User agent to match in robots.txt. Default: WinnowBot."""
    delay: float
    """Seconds between two pages; pages are then scraped one at a time."""
    max_concurrency: int
    """Maximum number of concurrently scraped pages. Default: the slots of the team."""
    scrape_options: ScrapeOptions
    """Scrape options of each page."""
    webhook: Union[str, Webhook]
    """Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events."""
    zero_data_retention: bool
    """Not available for crawls, because their results are stored."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostCrawlResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the crawl."""
    url: str
    """URL of the status."""


class PostCrawlResponse(_PostCrawlResponseRequired, total=False):
    """Response of: Scrape the pages of a site in the background."""
    promptGeneratedOptions: CrawlPreview
    """Result of the prompt."""
    finalCrawlerOptions: dict[str, Any]
    """The options of the crawl; present with a prompt."""
    warning: str


class _DeleteCrawlByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["cancelled"]


class DeleteCrawlByIdResponse(_DeleteCrawlByIdResponseRequired, total=False):
    """Response of: Cancel a crawl; scraped pages stay readable."""
    warning: str


class CrawlByIdQuery(TypedDict, total=False):
    """Request of: Read the progress and the documents of a crawl."""
    skip: int
    """Number of documents to skip at the start."""
    limit: int
    """Maximum number of documents in one response."""


class CrawlDownloadQuery(TypedDict, total=False):
    """Request of: Download the documents of a crawl as one file."""
    format: Literal["jsonl", "csv", "zip"]
    """jsonl: one document per line, unchanged; csv: one row per page; zip: one Markdown file per page, named after its URL."""


class GetCrawlErrorsResponseSkippedItem(TypedDict):
    url: str
    reason: str


class GetCrawlErrorsResponseSummary(TypedDict):
    """Discovered URLs by state. Each URL is counted once."""
    completed: int
    failed: int
    cancelled: int
    living: int
    waiting: int
    skipped: dict[str, int]
    """Counts by reason."""


class _GetCrawlErrorsResponseRequired(TypedDict):
    success: Literal[True]
    errors: list[PageError]
    """Failed pages, as many as summary.failed, and skipped home pages of other sites (EXTERNAL_LINK)."""
    robotsBlocked: list[str]
    """URLs that robots.txt disallows."""
    skipped: list[GetCrawlErrorsResponseSkippedItem]
    """URLs that were not scraped; at most 1,000."""
    summary: GetCrawlErrorsResponseSummary
    """Discovered URLs by state. Each URL is counted once."""


class GetCrawlErrorsResponse(_GetCrawlErrorsResponseRequired, total=False):
    """Response of: List the pages of a crawl that failed or were skipped, with reasons."""
    warning: str


class _PostCrawlRetryResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the new batch."""
    url: str
    """URL of the status."""
    count: int
    """Number of pages that are retried."""


class PostCrawlRetryResponse(_PostCrawlRetryResponseRequired, total=False):
    """Response of: Retry the failed pages of a crawl as a new batch."""
    warning: str


class GetCrawlActiveResponseCrawlsItemOptions(TypedDict):
    scrapeOptions: dict[str, Any]


class GetCrawlActiveResponseCrawlsItem(TypedDict):
    id: str
    teamId: str
    url: str
    created_at: str
    options: GetCrawlActiveResponseCrawlsItemOptions


class _GetCrawlActiveResponseRequired(TypedDict):
    success: Literal[True]
    crawls: list[GetCrawlActiveResponseCrawlsItem]


class GetCrawlActiveResponse(_GetCrawlActiveResponseRequired, total=False):
    """Response of: List the running crawls of the team."""
    warning: str


class GetCrawlOngoingResponseCrawlsItemOptions(TypedDict):
    scrapeOptions: dict[str, Any]


class GetCrawlOngoingResponseCrawlsItem(TypedDict):
    id: str
    teamId: str
    url: str
    created_at: str
    options: GetCrawlOngoingResponseCrawlsItemOptions


class _GetCrawlOngoingResponseRequired(TypedDict):
    success: Literal[True]
    crawls: list[GetCrawlOngoingResponseCrawlsItem]


class GetCrawlOngoingResponse(_GetCrawlOngoingResponseRequired, total=False):
    """Response of: List the running crawls of the team (older path)."""
    warning: str


class CrawlParamsPreviewArguments(TypedDict, total=False):
    """Request of: Convert a prompt into options for a crawl."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostCrawlParamsPreviewResponseRequired(TypedDict):
    success: Literal[True]
    data: CrawlPreview


class PostCrawlParamsPreviewResponse(_PostCrawlParamsPreviewResponseRequired, total=False):
    """Response of: Convert a prompt into options for a crawl."""
    warning: str


class ExtractArgumentsAgent1(TypedDict, total=False):
    model: str


class ExtractArguments(TypedDict, total=False):
    """Request of: Read values from several pages or a complete site, in the background."""
    prompt: str
    """Description of the values in natural language. Requires a language model if there is no schema."""
    system_prompt: str
    """Additional instructions for the language model."""
    schema: Any
    """JSON schema of the values."""
    limit: int
    """Maximum number of pages to read; the most relevant pages of a site are selected."""
    ignore_sitemap: bool
    """Find pages of a site only by links."""
    include_subdomains: bool
    """Also read pages of other subdomains of a site."""
    allow_external_links: bool
    """Also read pages of other sites to which a site links. Requires a URL that ends in /*."""
    enable_web_search: bool
    """Also read pages that a search for the prompt finds. On by default if no URL is given."""
    show_sources: bool
    """Add the source pages of each value, and every value on which pages disagree."""
    scrape_options: ScrapeOptions
    """Scrape options of each page."""
    ignore_invalid_urls: bool
    """Skip invalid URLs instead of rejecting the call."""
    timeout: float
    """Time budget (ms). Pages that were not read in time are omitted and listed."""
    agent: Union[ExtractArgumentsAgent1, None]
    """No effect: POST /v2/agent finds pages without it."""
    url_trace: bool
    """Add the outcome of each page."""
    webhook: Union[str, Webhook]
    """Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostExtractResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the extract."""
    urlTrace: list[Any]
    """Empty here; the status contains it, if requested."""


class PostExtractResponse(_PostExtractResponseRequired, total=False):
    """Response of: Read values from several pages or a complete site, in the background."""
    invalidURLs: list[str]
    """URLs that were skipped."""
    warning: str


class _DeleteExtractByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["cancelled"]


class DeleteExtractByIdResponse(_DeleteExtractByIdResponseRequired, total=False):
    """Response of: Cancel an extract."""
    warning: str


class FeedbackQuery(TypedDict, total=False):
    """Request of: List the feedback of the team, newest first."""
    endpoint: Literal["search", "scrape", "parse", "map"]
    """Only feedback on jobs of this kind."""
    rating: Literal["good", "partial", "bad"]
    job_id: str
    """Only feedback on this job."""
    limit: int
    cursor: str
    """Cursor of the previous page."""


class _GetFeedbackResponseRequired(TypedDict):
    success: Literal[True]
    data: list[Feedback]
    cursor: Union[str, None]
    has_more: bool


class GetFeedbackResponse(_GetFeedbackResponseRequired, total=False):
    """Response of: List the feedback of the team, newest first."""
    warning: str


class _FeedbackArgumentsValuableSourcesItemRequired(TypedDict):
    url: str
    """A result that was useful."""


class FeedbackArgumentsValuableSourcesItem(_FeedbackArgumentsValuableSourcesItemRequired, total=False):
    reason: str


class _FeedbackArgumentsMissingContentItemRequired(TypedDict):
    topic: str
    """Expected but missing result."""


class FeedbackArgumentsMissingContentItem(_FeedbackArgumentsMissingContentItemRequired, total=False):
    description: str


class FeedbackArguments(TypedDict, total=False):
    """Request of: Rate the result of a job."""
    valuable_sources: list[FeedbackArgumentsValuableSourcesItem]
    valuable_result_positions: list[int]
    """The same by position in the list of results."""
    missing_content: list[FeedbackArgumentsMissingContentItem]
    query_suggestions: str
    """Suggested change of the query."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""
    issues: list[str]
    """Short names of the problems: missing_markdown."""
    tags: list[str]
    note: str
    url: str
    """URL of the page."""
    page_numbers: list[int]
    """Pages of a document."""
    metadata: dict[str, Any]


class _PostFeedbackResponseRequired(TypedDict):
    success: Literal[True]
    feedbackId: str
    creditsRefunded: int
    """Credits that this request refunded: 1 for the first feedback on a search."""


class PostFeedbackResponse(_PostFeedbackResponseRequired, total=False):
    """Response of: Rate the result of a job."""
    alreadySubmitted: bool
    """True if the job already had feedback, which stays unchanged."""
    dailyCapReached: bool
    """True if the daily limit of refunds is reached."""
    creditsRefundedToday: int
    dailyRefundCap: int
    """Maximum refunds per day (TEAM_DAILY_REFUNDS)."""
    warning: str


class InteractQuery(TypedDict, total=False):
    """Request of: List the browser sessions of the team, newest first (also /v2/browser)."""
    status: Literal["active", "destroyed", "error"]
    """Only sessions in this state."""


class _GetInteractResponseRequired(TypedDict):
    success: Literal[True]
    sessions: list[Session]
    """Newest first; at most 1,000."""


class GetInteractResponse(_GetInteractResponseRequired, total=False):
    """Response of: List the browser sessions of the team, newest first (also /v2/browser)."""
    warning: str


class InteractArguments(TypedDict, total=False):
    """Request of: Open a browser session for code, DevTools or live view (also /v2/browser)."""
    ttl: int
    """Maximum lifetime of the session in seconds."""
    activity_ttl: int
    """Seconds without activity until the session ends."""
    stream_web_view: bool
    """True if the session has a live view."""
    profile: Profile
    """Storage that is kept after the session ends."""
    record_session: bool
    """Sessions are not recorded."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostInteractResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """URL of a page to watch the browser live; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """URL of a page to watch and control the browser."""
    expiresAt: str


class PostInteractResponse(_PostInteractResponseRequired, total=False):
    """Response of: Open a browser session for code, DevTools or live view (also /v2/browser)."""
    warning: str


class _DeleteInteractByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["active", "destroyed", "error"]
    sessionDurationMs: int
    creditsBilled: int


class DeleteInteractByIdResponse(_DeleteInteractByIdResponseRequired, total=False):
    """Response of: End a browser session and return its cost (idempotent) (also /v2/browser)."""
    warning: str


class _GetInteractByIdResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    status: Literal["active", "destroyed", "error"]
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """URL of a page to watch the browser live; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """URL of a page to watch and control the browser."""
    streamWebView: bool
    createdAt: str
    lastActivity: str
    expiresAt: str


class GetInteractByIdResponse(_GetInteractByIdResponseRequired, total=False):
    """Response of: Get a browser session (also /v2/browser)."""
    sessionDurationMs: int
    """Duration of the session."""
    creditsBilled: int
    """Cost of the session, after its end."""
    error: str
    """Reason for the end, unless the session ended normally."""
    warning: str


class InteractExecuteArguments(TypedDict, total=False):
    """Request of: Run code in a browser session; `error` describes a failure of the code (also /v2/browser)."""
    language: Literal["python", "node", "bash"]
    """Language of the code; `bash` includes the command agent-browser."""
    timeout: int
    """Time limit of the code in seconds."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostInteractExecuteResponseRequired(TypedDict):
    success: Literal[True]
    stdout: Union[str, None]
    result: Union[str, None]
    """Value of the last expression; for a prompt, the page at the end."""
    stderr: Union[str, None]
    exitCode: Union[int, None]
    """0 means success."""
    killed: bool
    """True if the run reached its timeout."""


class PostInteractExecuteResponse(_PostInteractExecuteResponseRequired, total=False):
    """Response of: Run code in a browser session; `error` describes a failure of the code (also /v2/browser)."""
    error: str
    """Error of the run."""
    truncated: bool
    """True if the output was truncated."""
    warning: str


class _GetInteractReplayResponseRequired(TypedDict):
    success: Literal[True]


class GetInteractReplayResponse(_GetInteractReplayResponseRequired, total=False):
    """Response of: Get the recording of a session; always 404, because sessions are not recorded (also /v2/browser)."""
    warning: str


class _GetInteractProfilesResponseRequired(TypedDict):
    success: Literal[True]
    profiles: list[SavedProfile]


class GetInteractProfilesResponse(_GetInteractProfilesResponseRequired, total=False):
    """Response of: List the profiles of the team by name, at most 1,000 (also /v2/browser)."""
    warning: str


class _DeleteInteractProfilesByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteInteractProfilesByIdResponse(_DeleteInteractProfilesByIdResponseRequired, total=False):
    """Response of: Delete a profile (idempotent) (also /v2/browser)."""
    warning: str


class _GetJobsTraceResponseRequired(TypedDict):
    success: Literal[True]
    data: JobTrace


class GetJobsTraceResponse(_GetJobsTraceResponseRequired, total=False):
    """Response of: Get the trace of a job: plan, attempts, waits, sizes, warnings, webhook deliveries."""
    warning: str


class MapArguments(TypedDict, total=False):
    """Request of: List the pages of a site."""
    search: str
    """Sorts all found pages by relevance to this text before limit applies. Only the first 50 words count."""
    sitemap: Literal["skip", "include", "only"]
    """skip: ignore sitemaps; only: read nothing but sitemaps; include: read sitemaps and links, so the list is never shorter than with skip."""
    include_subdomains: bool
    """Also list pages of other subdomains."""
    ignore_query_parameters: bool
    """Skip URLs with a query."""
    ignore_cache: bool
    """Read sitemaps again; by default they are cached for seven days."""
    limit: int
    """Maximum number of pages in the response."""
    timeout: float
    """Time budget (ms). The call returns the pages found by then."""
    location: Location
    """Country and languages to emulate."""
    headers: dict[str, str]
    """Headers sent to the site with each request for links."""
    include_paths: list[str]
    """Regular expressions: only pages with a matching path are listed."""
    exclude_paths: list[str]
    """Regular expressions: pages with a matching path are not listed."""
    allow_external_links: bool
    """List pages of other sites that the site links to."""
    filter_by_path: bool
    """If the URL has a path, list only pages below it."""
    use_index: bool
    """No effect: there is no index of other sites."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostMapResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of this job."""
    links: list[MapLink]
    sources: dict[str, int]
    """Number of pages by the source in which they were found."""
    leftOut: dict[str, int]
    """Number of URLs that were skipped, by reason."""


class PostMapResponse(_PostMapResponseRequired, total=False):
    """Response of: List the pages of a site."""
    warning: str


class OperatorKeysQuery(TypedDict, total=False):
    """Request of: List API keys by prefix, oldest first, including revoked ones."""
    limit: int
    """Maximum number of entries in one response."""
    cursor: str
    """Cursor of the previous page."""
    team_id: str
    """Only keys of this team."""


class _GetOperatorKeysResponseRequired(TypedDict):
    success: Literal[True]
    data: list[OperatorKey]
    cursor: Union[str, None]
    has_more: bool


class GetOperatorKeysResponse(_GetOperatorKeysResponseRequired, total=False):
    """Response of: List API keys by prefix, oldest first, including revoked ones."""
    warning: str


class OperatorKeysArguments(TypedDict, total=False):
    """Request of: Create an API key; only this response contains it."""
    operator: bool
    """True if the key can also call /v2/operator."""


class _PostOperatorKeysResponseRequired(TypedDict):
    success: Literal[True]
    data: OperatorKey
    key: str
    """The key itself. Only its hash is stored."""


class PostOperatorKeysResponse(_PostOperatorKeysResponseRequired, total=False):
    """Response of: Create an API key; only this response contains it."""
    warning: str


class _DeleteOperatorKeysByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteOperatorKeysByIdResponse(_DeleteOperatorKeysByIdResponseRequired, total=False):
    """Response of: Revoke a key within a second."""
    warning: str


class GetOperatorOverviewResponseDataQueue(TypedDict):
    """Totals of all teams."""
    queued: dict[str, int]
    """Jobs by kind; kinds without jobs are omitted."""
    running: dict[str, int]
    """Jobs by kind; kinds without jobs are omitted."""
    held: dict[str, int]
    """Jobs by kind; kinds without jobs are omitted."""


class GetOperatorOverviewResponseDataStorage(TypedDict):
    databaseBytes: Union[int, None]
    """Size of the database; null if unknown."""
    blobBytes: Union[int, None]
    """Size of stored pages, results and files, at most ten minutes old; null if unknown, as for a bucket."""
    freeBytes: Union[int, None]
    """Free space on the disk of DATA_DIR; null if unknown."""


class GetOperatorOverviewResponseDataHealth(TypedDict):
    isReady: bool
    parts: dict[str, str]
    """`ok`, or the reason why a part does not work."""
    ages: dict[str, float]
    """Age of the state of a part in seconds, for parts that this request did not check."""
    warnings: dict[str, str]
    """Problems that do not stop the service: `clock`, `search`."""


class GetOperatorOverviewResponseDataTeamsItem(TypedDict):
    id: str
    name: str
    running: int
    concurrency: int


class GetOperatorOverviewResponseData(TypedDict):
    version: str
    uptimeSeconds: int
    """Uptime of the process that responds."""
    queue: GetOperatorOverviewResponseDataQueue
    """Totals of all teams."""
    slotsTaken: int
    """Number of running jobs of all teams that use a slot."""
    storage: GetOperatorOverviewResponseDataStorage
    health: GetOperatorOverviewResponseDataHealth
    teams: list[GetOperatorOverviewResponseDataTeamsItem]
    """The 20 teams with the most running jobs."""


class _GetOperatorOverviewResponseRequired(TypedDict):
    success: Literal[True]
    data: GetOperatorOverviewResponseData


class GetOperatorOverviewResponse(_GetOperatorOverviewResponseRequired, total=False):
    """Response of: Get queue, storage and health of the installation."""
    warning: str


class OperatorTeamsQuery(TypedDict, total=False):
    """Request of: List the teams of the installation, oldest first."""
    limit: int
    """Maximum number of entries in one response."""
    cursor: str
    """Cursor of the previous page."""


class _GetOperatorTeamsResponseRequired(TypedDict):
    success: Literal[True]
    data: list[OperatorTeam]
    cursor: Union[str, None]
    has_more: bool


class GetOperatorTeamsResponse(_GetOperatorTeamsResponseRequired, total=False):
    """Response of: List the teams of the installation, oldest first."""
    warning: str


class OperatorTeamsArguments(TypedDict, total=False):
    """Request of: Create a team without a key."""
    credits: int
    """Initial credits. Default: TEAM_CREDITS."""
    unlimited: bool
    """True for no limit, regardless of TEAM_CREDITS."""
    concurrency: Union[int, None]
    """Maximum number of concurrent jobs of the team; null: TEAM_CONCURRENCY."""
    zero_data_retention: bool
    """True if requests may use zero data retention."""
    search_index: bool
    """True if stored pages of the team are indexed, so its searches find them. False also removes indexed pages."""


class _PostOperatorTeamsResponseRequired(TypedDict):
    success: Literal[True]
    data: OperatorTeam


class PostOperatorTeamsResponse(_PostOperatorTeamsResponseRequired, total=False):
    """Response of: Create a team without a key."""
    warning: str


class _DeleteOperatorTeamsByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteOperatorTeamsByIdResponse(_DeleteOperatorTeamsByIdResponseRequired, total=False):
    """Response of: Delete a team: end its keys, jobs and browsers immediately, and remove its data within half an hour."""
    warning: str


class OperatorTeamsByIdArguments(TypedDict, total=False):
    """Request of: Update a team: all given fields, or none."""
    credits: int
    """Credits to add. A team without a limit has one afterwards."""
    unlimited: bool
    """True removes the limit of the team. False sets a limit; the team then has only granted credits."""
    concurrency: Union[int, None]
    """Maximum number of concurrent jobs of the team; null: TEAM_CONCURRENCY."""
    zero_data_retention: bool
    """True if requests may use zero data retention."""
    search_index: bool
    """True if stored pages of the team are indexed, so its searches find them. False also removes indexed pages."""
    webhook_secret: Literal["new", "off"]
    """`new` makes the secret that webhooks are signed with; `off` ends signing."""


class _PostOperatorTeamsByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: OperatorTeam


class PostOperatorTeamsByIdResponse(_PostOperatorTeamsByIdResponseRequired, total=False):
    """Response of: Update a team: all given fields, or none."""
    webhookSecret: str
    """Secret for verifying signatures. Only in the response to `webhookSecret: new`."""
    warning: str


class ParseArguments(TypedDict, total=False):
    """Request of: Convert one file and return it in the requested formats."""
    formats: list[Format]
    """Formats to return. An empty list returns only metadata."""
    only_main_content: bool
    """Omit headers, navigation and footers."""
    main_content_mode: Literal["balanced", "container", "article"]
    """Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it."""
    include_tags: list[str]
    """CSS selectors: keep only what they match."""
    exclude_tags: list[str]
    """CSS selectors: remove what they match."""
    headers: dict[str, str]
    """No effect: a file requires no fetch."""
    timeout: int
    """Time budget of the complete request (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    skip_tls_verification: bool
    """No effect: a file requires no fetch."""
    remove_base64_images: bool
    """Omit embedded images from the Markdown."""
    block_ads: bool
    """No effect: a file requires no fetch."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """No effect: a file requires no fetch."""
    fast_mode: bool
    """No effect: a file requires no fetch."""
    only_clean_content: bool
    """Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention."""
    redact_pii: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in formats derived from it."""
    zero_data_retention: bool
    """Store nothing of this request. Must be enabled for the team."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""
    actions: list[Any]
    wait_for: float
    location: Any
    mobile: bool
    max_age: float
    min_age: float
    store_in_cache: bool
    lockdown: bool
    profile: Any


class _PostParseResponseRequired(TypedDict):
    success: Literal[True]
    data: ParsedDocument


class PostParseResponse(_PostParseResponseRequired, total=False):
    """Response of: Convert one file and return it in the requested formats."""
    warning: str


class _GetParseByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: ParsedDocument


class GetParseByIdResponse(_GetParseByIdResponseRequired, total=False):
    """Response of: Get the result of a previous parse."""
    warning: str


class ScrapeArguments(TypedDict, total=False):
    """Request of: Fetch one URL and return it in the requested formats."""
    formats: list[Format]
    """Formats to return. An empty list returns only metadata."""
    only_main_content: bool
    """Omit headers, navigation and footers."""
    main_content_mode: Literal["balanced", "container", "article"]
    """Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it."""
    only_clean_content: bool
    """Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention."""
    include_tags: list[str]
    """CSS selectors: keep only what they match."""
    exclude_tags: list[str]
    """CSS selectors: remove what they match."""
    max_age: int
    """Use a cached page younger than this (ms). Default: two days; 0 always fetches."""
    min_age: int
    """Use a cached page at least this old (ms), and never fetch."""
    headers: dict[str, str]
    """Headers sent to the site. Disables the cache."""
    wait_for: int
    """Additional wait (ms) before the page is read."""
    mobile: bool
    """Emulate a mobile device."""
    skip_tls_verification: bool
    """Accept invalid certificates."""
    timeout: int
    """Time budget of the complete request (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    remove_base64_images: bool
    """Omit embedded images from the Markdown."""
    block_ads: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """Proxy tier for reaching the site."""
    store_in_cache: bool
    """Cache the page for later requests. Default: true."""
    lockdown: bool
    """Serve only from the cache; never contact the site."""
    profile: Profile
    """Browser storage that is kept between requests: cookies, local storage, databases. Disables the cache."""
    fast_mode: bool
    """Never use a browser."""
    redact_pii: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in formats derived from it."""
    zero_data_retention: bool
    """Store nothing of this request. Must be enabled for the team."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostScrapeResponseRequired(TypedDict):
    success: Literal[True]
    data: Document


class PostScrapeResponse(_PostScrapeResponseRequired, total=False):
    """Response of: Fetch one URL and return it in the requested formats."""
    warning: str


class _GetScrapeByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: Document


class GetScrapeByIdResponse(_GetScrapeByIdResponseRequired, total=False):
    """Response of: Get the result of a previous scrape."""
    warning: str


class _DeleteScrapeInteractResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["active", "destroyed", "error"]
    sessionDurationMs: int
    creditsBilled: int


class DeleteScrapeInteractResponse(_DeleteScrapeInteractResponseRequired, total=False):
    """Response of: End the browser of a scrape and return its cost (idempotent)."""
    warning: str


class ScrapeInteractArguments(TypedDict, total=False):
    """Request of: Run code or a prompt in a browser on the page of a previous scrape."""
    prompt: str
    """Task in natural language. Requires a language model."""
    language: Literal["python", "node", "bash"]
    """Language of the code; `bash` includes the command agent-browser."""
    timeout: float
    """Time limit in seconds. Default: 30 for code, 240 for a prompt."""
    ttl: int
    """Maximum lifetime of the session in seconds."""
    activity_ttl: int
    """Seconds without activity until the session ends."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class SearchArguments(TypedDict, total=False):
    """Request of: Search the web and your indexed pages."""
    limit: int
    """Maximum number of results of each source."""
    sources: list[Union[SearchSource, AbsentSearchSource]]
    """Lists in the response. alexandria and exchange are not available and are omitted."""
    categories: list[SearchCategory]
    """Only web results of these kinds; each result names its category."""
    include_domains: list[str]
    """Only results of these hosts. Excludes excludeDomains."""
    exclude_domains: list[str]
    """No results of these hosts. Excludes includeDomains."""
    tbs: str
    """Time range and order, combined by commas: qdr:h, d, w, m or y, also with a number (qdr:d3); cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 for the newest first. Images have no time."""
    country: str
    """ISO 3166 code of a country. Default: US, unless location is given."""
    location: str
    """Location name: `City,Region,Country`. Works best together with country."""
    lang: str
    """ISO 639 code of a language."""
    timeout: float
    """Time budget of the complete request (ms)."""
    ignore_invalid_urls: bool
    """Omit results whose URL other endpoints would reject."""
    enterprise: list[Literal["anon", "zdr", "default"]]
    """zdr, anon: store nothing of this request. Must be enabled for the team."""
    scrape_options: ScrapeOptions
    """Scrape options of each result; without formats, results are not scraped."""
    async_scraping: bool
    """Respond before the results are scraped; scrapeIds names the jobs."""
    highlights: bool
    """Describe results from your indexed pages by the passage that answers, not by their first sentences."""
    safe: bool
    """Omit explicit results, if the provider supports it."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class PostSearchResponseScrapeIds(TypedDict, total=False):
    """Scrape ids of the results, in order, with asyncScraping; GET /v2/scrape/{id} returns each document."""
    web: list[str]
    news: list[str]


class _PostSearchResponseRequired(TypedDict):
    success: Literal[True]
    data: SearchData
    id: str
    """Id of this job."""
    creditsUsed: int
    """Credits of the search and of the completed scrapes."""


class PostSearchResponse(_PostSearchResponseRequired, total=False):
    """Response of: Search the web and your indexed pages."""
    scrapeIds: PostSearchResponseScrapeIds
    """Scrape ids of the results, in order, with asyncScraping; GET /v2/scrape/{id} returns each document."""
    warning: str


class _SearchFeedbackArgumentsValuableSourcesItemRequired(TypedDict):
    url: str
    """A result that was useful."""


class SearchFeedbackArgumentsValuableSourcesItem(_SearchFeedbackArgumentsValuableSourcesItemRequired, total=False):
    reason: str


class _SearchFeedbackArgumentsMissingContentItemRequired(TypedDict):
    topic: str
    """Expected but missing result."""


class SearchFeedbackArgumentsMissingContentItem(_SearchFeedbackArgumentsMissingContentItemRequired, total=False):
    description: str


class SearchFeedbackArguments(TypedDict, total=False):
    """Request of: Rate the results of a search; the first feedback refunds a credit."""
    valuable_sources: list[SearchFeedbackArgumentsValuableSourcesItem]
    valuable_result_positions: list[int]
    """The same by position in the list of results."""
    missing_content: list[SearchFeedbackArgumentsMissingContentItem]
    query_suggestions: str
    """Suggested change of the query."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostSearchFeedbackResponseRequired(TypedDict):
    success: Literal[True]
    feedbackId: str
    creditsRefunded: int
    """Credits that this request refunded: 1 for the first feedback on a search."""


class PostSearchFeedbackResponse(_PostSearchFeedbackResponseRequired, total=False):
    """Response of: Rate the results of a search; the first feedback refunds a credit."""
    alreadySubmitted: bool
    """True if the job already had feedback, which stays unchanged."""
    dailyCapReached: bool
    """True if the daily limit of refunds is reached."""
    creditsRefundedToday: int
    dailyRefundCap: int
    """Maximum refunds per day (TEAM_DAILY_REFUNDS)."""
    warning: str


class SearchDeveloperQuery(TypedDict, total=False):
    """Request of: Find issues, pull requests, repositories and your indexed pages about code."""
    query: str
    """A question about code, a library or an error."""
    k: int
    """Maximum number of results, 1 to 100."""
    passages: int
    """Passages per result, 1 to 5."""
    types: Union[str, list[str]]
    """Sources: doc are your indexed pages; the others are on GitHub. Default: all."""
    repos: Union[str, list[str]]
    """GitHub repositories, owner/name."""
    sources: Union[str, list[str]]
    """Hostnames of your indexed pages."""
    language: str
    """Main language of the repository."""
    topic: Union[str, list[str]]
    """Topics of the repository; all must match."""
    license: str
    """SPDX identifier of its licence."""
    min_stars: int
    max_stars: int
    archived: str
    fork: str
    skills: Literal["only"]
    """Not available."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class GetSearchDeveloperResponseCoverage(TypedDict):
    """skipped: not requested; unavailable: the source could not be searched, see warning."""
    doc: Literal["ok", "skipped", "unavailable"]
    issue: Literal["ok", "skipped", "unavailable"]
    pull_request: Literal["ok", "skipped", "unavailable"]
    readme: Literal["ok", "skipped", "unavailable"]


class GetSearchDeveloperResponseReposItemTypes(TypedDict):
    issue: bool
    pullRequest: bool
    readme: bool


class GetSearchDeveloperResponseReposItem(TypedDict):
    repo: str
    indexed: bool
    """True if the source has results."""
    types: GetSearchDeveloperResponseReposItemTypes


class GetSearchDeveloperResponseSourcesItem(TypedDict):
    source: str
    indexed: bool
    """True if your indexed pages include pages of the site."""


class _GetSearchDeveloperResponseRequired(TypedDict):
    success: Literal[True]
    results: list[DeveloperSearchResult]
    coverage: GetSearchDeveloperResponseCoverage
    """skipped: not requested; unavailable: the source could not be searched, see warning."""
    reranked: bool


class GetSearchDeveloperResponse(_GetSearchDeveloperResponseRequired, total=False):
    """Response of: Find issues, pull requests, repositories and your indexed pages about code."""
    repos: list[GetSearchDeveloperResponseReposItem]
    sources: list[GetSearchDeveloperResponseSourcesItem]
    warning: str


class SearchDeveloperArguments(TypedDict, total=False):
    """Request of: Find issues, pull requests, repositories and your indexed pages about code."""
    k: int
    """Maximum number of results, 1 to 100."""
    passages: int
    """Passages per result, 1 to 5."""
    types: list[Literal["doc", "issue", "pull_request", "readme"]]
    """Sources: doc are your indexed pages; the others are on GitHub. Default: all."""
    repos: list[str]
    """GitHub repositories, owner/name."""
    sources: list[str]
    """Hostnames of your indexed pages."""
    language: str
    """Main language of the repository."""
    topic: list[str]
    """Topics of the repository; all must match."""
    license: str
    """SPDX identifier of its licence."""
    min_stars: int
    max_stars: int
    archived: bool
    fork: bool
    skills: Literal["only"]
    """Not available."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class PostSearchDeveloperResponseCoverage(TypedDict):
    """skipped: not requested; unavailable: the source could not be searched, see warning."""
    doc: Literal["ok", "skipped", "unavailable"]
    issue: Literal["ok", "skipped", "unavailable"]
    pull_request: Literal["ok", "skipped", "unavailable"]
    readme: Literal["ok", "skipped", "unavailable"]


class PostSearchDeveloperResponseReposItemTypes(TypedDict):
    issue: bool
    pullRequest: bool
    readme: bool


class PostSearchDeveloperResponseReposItem(TypedDict):
    repo: str
    indexed: bool
    """True if the source has results."""
    types: PostSearchDeveloperResponseReposItemTypes


class PostSearchDeveloperResponseSourcesItem(TypedDict):
    source: str
    indexed: bool
    """True if your indexed pages include pages of the site."""


class _PostSearchDeveloperResponseRequired(TypedDict):
    success: Literal[True]
    results: list[DeveloperSearchResult]
    coverage: PostSearchDeveloperResponseCoverage
    """skipped: not requested; unavailable: the source could not be searched, see warning."""
    reranked: bool


class PostSearchDeveloperResponse(_PostSearchDeveloperResponseRequired, total=False):
    """Response of: Find issues, pull requests, repositories and your indexed pages about code."""
    repos: list[PostSearchDeveloperResponseReposItem]
    sources: list[PostSearchDeveloperResponseSourcesItem]
    warning: str


class SearchResearchGithubQuery(TypedDict, total=False):
    """Request of: Find issues and repositories on GitHub."""
    query: str
    k: int
    origin: str
    """Label of the caller, stored with the job."""


class GetSearchResearchGithubResponseResultsItemScores(TypedDict):
    rrf: float


class _GetSearchResearchGithubResponseResultsItemRequired(TypedDict):
    resultType: Literal["github_history", "repo_readme"]
    repo: str
    url: str
    title: str
    snippet: str
    scores: GetSearchResearchGithubResponseResultsItemScores


class GetSearchResearchGithubResponseResultsItem(_GetSearchResearchGithubResponseResultsItemRequired, total=False):
    pageType: str
    number: int


class _GetSearchResearchGithubResponseRequired(TypedDict):
    success: Literal[True]
    results: list[GetSearchResearchGithubResponseResultsItem]
    replacement: str
    """Endpoint with more results."""


class GetSearchResearchGithubResponse(_GetSearchResearchGithubResponseRequired, total=False):
    """Response of: Find issues and repositories on GitHub."""
    warning: str


_SearchResearchPapersQueryNamedOptional = TypedDict("_SearchResearchPapersQueryNamedOptional", {
    "from": "str",
}, total=False)


class SearchResearchPapersQuery(_SearchResearchPapersQueryNamedOptional, total=False):
    """Request of: Find papers in open catalogues."""
    query: str
    """Topic of the papers."""
    k: int
    """Maximum number of papers; each provider returns at most 100."""
    authors: Union[str, list[str]]
    """Parts of author names; each must match an author of the paper."""
    categories: Union[str, list[str]]
    """arXiv categories, such as cs.LG; all must match."""
    to: str
    """Latest date of publication."""
    origin: str
    """Label of the caller, stored with the job."""


class _GetSearchResearchPapersResponseRequired(TypedDict):
    success: Literal[True]
    results: list[PaperResult]


class GetSearchResearchPapersResponse(_GetSearchResearchPapersResponseRequired, total=False):
    """Response of: Find papers in open catalogues."""
    warning: str


class SearchResearchPapersByIdQuery(TypedDict, total=False):
    """Request of: Get a paper from open catalogues, or its passages that answer a query."""
    query: str
    """Scrapes the paper and returns the passages that answer this query."""
    k: int
    """Maximum number of passages; only with query. Default: 4."""
    origin: str
    """Label of the caller, stored with the job."""


class GetSearchResearchPapersByIdResponsePassagesItem(TypedDict):
    text: str
    score: float


class _GetSearchResearchPapersByIdResponseRequired(TypedDict):
    success: Literal[True]
    paper: Paper


class GetSearchResearchPapersByIdResponse(_GetSearchResearchPapersByIdResponseRequired, total=False):
    """Response of: Get a paper from open catalogues, or its passages that answer a query."""
    paperId: str
    """Only with query."""
    query: str
    passages: list[GetSearchResearchPapersByIdResponsePassagesItem]
    warning: str


class SearchResearchPapersSimilarQuery(TypedDict, total=False):
    """Request of: Find papers related to others by citations."""
    intent: str
    """Topic of the related papers; sorts the results."""
    mode: Literal["similar", "citers", "references"]
    """Relation to the paper: similar papers, papers that cite it, or papers that it cites."""
    k: int
    rerank: str
    """No effect."""
    anchor: Union[str, list[str]]
    """Additional start papers."""
    origin: str
    """Label of the caller, stored with the job."""


class _GetSearchResearchPapersSimilarResponseRequired(TypedDict):
    success: Literal[True]
    results: list[PaperResult]
    poolSize: int
    """Number of related papers."""
    truncated: bool
    note: Union[str, None]


class GetSearchResearchPapersSimilarResponse(_GetSearchResearchPapersSimilarResponseRequired, total=False):
    """Response of: Find papers related to others by citations."""
    warning: str


class SupportAskArguments(TypedDict, total=False):
    """Request of: Diagnose a call; suggested fixes are tested first."""
    rationale: str
    """Goal of the end user, in one or two sentences."""
    job_id: str
    """Id of the job that the question is about."""
    context: dict[str, Any]
    """Additional context: the request, the error, attempted fixes."""
    allow_actions: bool
    """Lets trials repeat the actions of the job and try clicks, each time with effects on the site: a form is submitted again. Without it, a job with such actions is not repeated."""


class SupportDocsSearchArguments(TypedDict, total=False):
    """Request of: Answer a question about this service from its documentation."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class PostSupportDocsSearchResponseEvidenceItem(TypedDict):
    pathOrUrl: str
    """File of the repository with an anchor: docs/search.md#the-query."""
    reason: str
    """Summary of the section, and its passages about the question."""


class PostSupportDocsSearchResponseUsage(TypedDict):
    """Tokens of the language model; zero without one."""
    inputTokens: int
    outputTokens: int
    totalTokens: int


class _PostSupportDocsSearchResponseRequired(TypedDict):
    success: Literal[True]
    requestId: str
    answer: str
    """Answer from the documentation, each sentence with its source; written by a language model, if configured."""
    evidence: list[PostSupportDocsSearchResponseEvidenceItem]
    """Matching sections, best first; empty if the documentation does not cover the question."""
    usage: PostSupportDocsSearchResponseUsage
    """Tokens of the language model; zero without one."""
    durationMs: int


class PostSupportDocsSearchResponse(_PostSupportDocsSearchResponseRequired, total=False):
    """Response of: Answer a question about this service from its documentation."""
    warning: str


class TeamActivityQuery(TypedDict, total=False):
    """Request of: List the calls of the team in the last 24 hours, newest first."""
    endpoint: Literal["scrape", "crawl", "batch_scrape", "search", "extract", "llmstxt", "deep_research", "map", "agent", "browser", "interact", "parse", "research", "developer_search"]
    """Only calls of this kind."""
    state: Literal["queued", "running", "completed", "failed", "cancelled"]
    """Only calls in this state."""
    limit: str
    """Calls per page, 1 to 100. Default: 50."""
    cursor: str
    """Cursor of the previous page."""


class _GetTeamActivityResponseDataItemRequired(TypedDict):
    id: str
    endpoint: str
    api_version: str
    created_at: str
    target: Union[str, None]
    state: Literal["queued", "running", "completed", "failed", "cancelled"]


class GetTeamActivityResponseDataItem(_GetTeamActivityResponseDataItemRequired, total=False):
    code: str
    """Error code of a failed call."""


class _GetTeamActivityResponseRequired(TypedDict):
    success: Literal[True]
    data: list[GetTeamActivityResponseDataItem]
    cursor: Union[str, None]
    has_more: bool


class GetTeamActivityResponse(_GetTeamActivityResponseRequired, total=False):
    """Response of: List the calls of the team in the last 24 hours, newest first."""
    warning: str


class GetTeamCreditUsageResponseData(TypedDict):
    remainingCredits: int
    planCredits: int
    unlimited: bool
    """True if the team has no credit limit; the numbers are then placeholders."""
    billingPeriodStart: Union[str, None]
    billingPeriodEnd: Union[str, None]


class _GetTeamCreditUsageResponseRequired(TypedDict):
    success: Literal[True]
    data: GetTeamCreditUsageResponseData


class GetTeamCreditUsageResponse(_GetTeamCreditUsageResponseRequired, total=False):
    """Response of: Get the remaining credits of the team."""
    warning: str


class TeamCreditUsageHistoricalQuery(TypedDict, total=False):
    """Request of: List used credits per period, oldest first."""
    by_api_key: str
    """One row per period and key."""
    time_range: Literal["day", "week", "month"]
    """Length of a period."""


class _GetTeamCreditUsageHistoricalResponsePeriodsItemRequired(TypedDict):
    startDate: str
    endDate: str
    creditsUsed: int
    totalCredits: int


class GetTeamCreditUsageHistoricalResponsePeriodsItem(_GetTeamCreditUsageHistoricalResponsePeriodsItemRequired, total=False):
    apiKey: str


class _GetTeamCreditUsageHistoricalResponseRequired(TypedDict):
    success: Literal[True]
    periods: list[GetTeamCreditUsageHistoricalResponsePeriodsItem]


class GetTeamCreditUsageHistoricalResponse(_GetTeamCreditUsageHistoricalResponseRequired, total=False):
    """Response of: List used credits per period, oldest first."""
    warning: str


class GetTeamMeResponseDataTeam(TypedDict):
    id: str
    name: str
    concurrency: int
    """Maximum number of concurrent jobs of the team."""
    zeroDataRetention: bool
    """True if requests may use zero data retention."""
    searchIndex: bool
    """True if stored pages of the team are indexed, so its searches find them."""


class GetTeamMeResponseData(TypedDict):
    team: GetTeamMeResponseDataTeam
    keyHint: Union[str, None]
    """Prefix of the key; null if AUTH=off."""
    isOperator: bool
    """True if this key can also call /v2/operator."""


class _GetTeamMeResponseRequired(TypedDict):
    success: Literal[True]
    data: GetTeamMeResponseData


class GetTeamMeResponse(_GetTeamMeResponseRequired, total=False):
    """Response of: Get the team and the key of this request."""
    warning: str


class _GetTeamQueueStatusResponseRequired(TypedDict):
    success: Literal[True]
    jobsInQueue: int
    activeJobsInQueue: int
    waitingJobsInQueue: int
    maxConcurrency: int
    mostRecentSuccess: Union[str, None]


class GetTeamQueueStatusResponse(_GetTeamQueueStatusResponseRequired, total=False):
    """Response of: Get the number of running and waiting jobs of the team."""
    warning: str


class GetTeamTokenUsageResponseDataModelTokens(TypedDict):
    """Language model usage of the team, separate from credits."""
    today: int
    """Input and output tokens of today (UTC)."""
    todayLimit: Union[int, None]
    """Maximum per day (MODEL_TOKENS_PER_TEAM_PER_DAY); null for no limit."""
    inputTokens: int
    """Tokens of this billing period, as counted by the model."""
    outputTokens: int
    calls: int
    """Requests to the model in this billing period."""


class GetTeamTokenUsageResponseData(TypedDict):
    remainingTokens: int
    planTokens: int
    unlimited: bool
    """True if the team has no credit limit; the numbers are then placeholders."""
    billingPeriodStart: Union[str, None]
    billingPeriodEnd: Union[str, None]
    modelTokens: GetTeamTokenUsageResponseDataModelTokens
    """Language model usage of the team, separate from credits."""


class _GetTeamTokenUsageResponseRequired(TypedDict):
    success: Literal[True]
    data: GetTeamTokenUsageResponseData


class GetTeamTokenUsageResponse(_GetTeamTokenUsageResponseRequired, total=False):
    """Response of: Get the remaining credits in tokens (1 credit = 15 tokens)."""
    warning: str


class TeamTokenUsageHistoricalQuery(TypedDict, total=False):
    """Request of: List used tokens per period, oldest first."""
    by_api_key: str
    """One row per period and key."""
    time_range: Literal["day", "week", "month"]
    """Length of a period."""


class _GetTeamTokenUsageHistoricalResponsePeriodsItemRequired(TypedDict):
    startDate: str
    endDate: str
    tokensUsed: int
    totalTokens: int


class GetTeamTokenUsageHistoricalResponsePeriodsItem(_GetTeamTokenUsageHistoricalResponsePeriodsItemRequired, total=False):
    apiKey: str


class GetTeamTokenUsageHistoricalResponseModelPeriodsItem(TypedDict):
    startDate: str
    endDate: str
    tokens: int


class _GetTeamTokenUsageHistoricalResponseRequired(TypedDict):
    success: Literal[True]
    periods: list[GetTeamTokenUsageHistoricalResponsePeriodsItem]
    modelPeriods: list[GetTeamTokenUsageHistoricalResponseModelPeriodsItem]
    """Language model tokens per period, input and output, of all keys."""


class GetTeamTokenUsageHistoricalResponse(_GetTeamTokenUsageHistoricalResponseRequired, total=False):
    """Response of: List used tokens per period, oldest first."""
    warning: str


class TeamTrackedPagesQuery(TypedDict, total=False):
    """Request of: List the pages that the team tracks with changeTracking, most recently seen first."""
    search: str
    """Only pages whose URL contains this text."""
    before: str
    """Cursor of the previous page."""
    limit: int
    """Maximum number of pages in one response."""


class _GetTeamTrackedPagesResponseRequired(TypedDict):
    success: Literal[True]
    data: list[TrackedPage]
    cursor: Union[str, None]
    has_more: bool


class GetTeamTrackedPagesResponse(_GetTeamTrackedPagesResponseRequired, total=False):
    """Response of: List the pages that the team tracks with changeTracking, most recently seen first."""
    warning: str


class _GetTeamTrackedPagesByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: TrackedHistory


class GetTeamTrackedPagesByIdResponse(_GetTeamTrackedPagesByIdResponseRequired, total=False):
    """Response of: Get a tracked page and its versions, newest first."""
    warning: str


_TeamTrackedPagesDiffQueryNamedOptional = TypedDict("_TeamTrackedPagesDiffQueryNamedOptional", {
    "from": "str",
}, total=False)


class TeamTrackedPagesDiffQuery(_TeamTrackedPagesDiffQueryNamedOptional, total=False):
    """Request of: Compare two versions of a tracked page."""
    to: str
    """Id of the newer version. Default: the latest one."""


_GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemChunksItemChangesItemNamedOptional = TypedDict("_GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemChunksItemChangesItemNamedOptional", {
    "del": "Literal[True]",
}, total=False)


class _GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemChunksItemChangesItemRequired(TypedDict):
    type: Literal["add", "del", "normal"]
    content: str


class GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemChunksItemChangesItem(_GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemChunksItemChangesItemNamedOptional, _GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemChunksItemChangesItemRequired, total=False):
    add: Literal[True]
    normal: Literal[True]
    ln: int
    """Line number, from 1."""
    ln1: int
    """Line number, from 1."""
    ln2: int
    """Line number, from 1."""


class GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemChunksItem(TypedDict):
    content: str
    changes: list[GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemChunksItemChangesItem]


_GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemNamed = TypedDict("_GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemNamed", {
    "from": "Union[str, None]",
})


class _GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemRequired(TypedDict):
    to: Union[str, None]
    chunks: list[GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemChunksItem]


class GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItem(_GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemNamed, _GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItemRequired, total=False):
    pass


class GetTeamTrackedPagesDiffResponseDataDiffJson(TypedDict):
    """The same diff as structured data."""
    files: list[GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItem]


_GetTeamTrackedPagesDiffResponseDataNamed = TypedDict("_GetTeamTrackedPagesDiffResponseDataNamed", {
    "from": "PageVersion",
})


class _GetTeamTrackedPagesDiffResponseDataRequired(TypedDict):
    to: PageVersion
    isSame: bool
    """True if the versions differ at most in white space."""


class GetTeamTrackedPagesDiffResponseData(_GetTeamTrackedPagesDiffResponseDataNamed, _GetTeamTrackedPagesDiffResponseDataRequired, total=False):
    diff: str
    """Unified diff of the Markdown; absent if the versions are equal."""
    diffJson: GetTeamTrackedPagesDiffResponseDataDiffJson
    """The same diff as structured data."""


class _GetTeamTrackedPagesDiffResponseRequired(TypedDict):
    success: Literal[True]
    data: GetTeamTrackedPagesDiffResponseData


class GetTeamTrackedPagesDiffResponse(_GetTeamTrackedPagesDiffResponseRequired, total=False):
    """Response of: Compare two versions of a tracked page."""
    warning: str


class TeamUsageQuery(TypedDict, total=False):
    """Request of: List credits and calls of the team per day, oldest first."""
    days: int
    """Number of days, including today."""


class GetTeamUsageResponseDataItem(TypedDict):
    date: str
    """Date in UTC."""
    credits: int
    """Charged credits minus refunds."""
    creditsByKind: dict[str, int]
    """Credits by kind of job; refunds have a separate kind."""
    calls: int
    callsByState: dict[str, int]
    """Calls of this day by state."""


class _GetTeamUsageResponseRequired(TypedDict):
    success: Literal[True]
    data: list[GetTeamUsageResponseDataItem]


class GetTeamUsageResponse(_GetTeamUsageResponseRequired, total=False):
    """Response of: List credits and calls of the team per day, oldest first."""
    warning: str


class WebhooksDeliveriesQuery(TypedDict, total=False):
    """Request of: List webhook deliveries, newest first."""
    job_id: str
    """Only events of this job."""
    state: Literal["waiting", "delivered", "failed"]
    limit: int
    cursor: str
    """Cursor of the previous page."""


class _GetWebhooksDeliveriesResponseRequired(TypedDict):
    success: Literal[True]
    data: list[Delivery]
    cursor: Union[str, None]
    has_more: bool


class GetWebhooksDeliveriesResponse(_GetWebhooksDeliveriesResponseRequired, total=False):
    """Response of: List webhook deliveries, newest first."""
    warning: str


class _GetWebhooksDeliveriesByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: DeliveryDetails


class GetWebhooksDeliveriesByIdResponse(_GetWebhooksDeliveriesByIdResponseRequired, total=False):
    """Response of: Get a delivery with its URL and payload."""
    warning: str


class _PostWebhooksDeliveriesReplayResponseRequired(TypedDict):
    success: Literal[True]
    data: Delivery


class PostWebhooksDeliveriesReplayResponse(_PostWebhooksDeliveriesReplayResponseRequired, total=False):
    """Response of: Resend a webhook event with its original id."""
    warning: str


class WebhooksTestArguments(TypedDict, total=False):
    """Request of: Send a test event to a webhook."""
    origin: str
    """Label of the caller, stored with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostWebhooksTestResponseRequired(TypedDict):
    success: Literal[True]
    webhookId: str
    """Id of the delivery; read it with GET /v2/webhooks/deliveries/{id}."""


class PostWebhooksTestResponse(_PostWebhooksTestResponseRequired, total=False):
    """Response of: Send a test event to a webhook."""
    warning: str

AbsentSearchSource: TypeAlias = Union[Literal["alexandria", "exchange"], AbsentSearchSource2]
Action: TypeAlias = Union[ClickAction, ExecuteJavascriptAction, PdfAction, PressAction, ScrapeAction, ScreenshotAction, ScrollAction, WaitAction, WriteAction]
Format: TypeAlias = Union[Literal["audio", "blocks", "branding", "changeTracking", "chunks", "html", "images", "json", "links", "markdown", "menu", "product", "rawBase64", "rawHtml", "screenshot", "summary", "video"], Union[AttributesFormat, AudioFormat, BlocksFormat, BrandingFormat, ChangeTrackingFormat, ChunksFormat, DeterministicJsonFormat, HighlightsFormat, HtmlFormat, ImagesFormat, JsonFormat, LinksFormat, MarkdownFormat, MenuFormat, ProductFormat, QueryFormat, QuestionFormat, RawBase64Format, RawHtmlFormat, ScreenshotFormat, SummaryFormat, VideoFormat]]
SearchCategory: TypeAlias = Union[Literal["github", "research", "pdf"], SearchCategory2]
SearchSource: TypeAlias = Union[Literal["web", "images", "news"], SearchSourceOptions]
TraceStep: TypeAlias = Union[TraceStepPlan, TraceStepQueue, TraceStepCache, TraceStepRobots, TraceStepSitemaps, TraceStepFetch, TraceStepVerdict, TraceStepWait, TraceStepConsent, TraceStepAction, TraceStepRead, TraceStepConvert, TraceStepModel, TraceStepWrite, TraceStepOmitted]
GetAgentByIdResponse: TypeAlias = AgentStatus
GetAgentTraceResponse: TypeAlias = AgentTrace
GetBatchScrapeByIdResponse: TypeAlias = JobStatus
GetCrawlByIdResponse: TypeAlias = JobStatus
GetExtractByIdResponse: TypeAlias = ExtractStatus
PostScrapeInteractResponse: TypeAlias = InteractResult
PostSupportAskResponse: TypeAlias = SupportAnswer
