# Generated from docs/openapi.json by `npm run generate`.
"""Types of what the service takes and answers. Nothing of this is needed to run the client."""

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
    """A run that was cancelled has failed, and stopReason says so: clients know no other word."""
    options: AgentListItemOptions


class AgentListItem(_AgentListItemRequired, total=False):
    integration: str


class _AgentRequestRequired(TypedDict):
    prompt: str
    """What is wanted, in words."""


class AgentRequest(_AgentRequestRequired, total=False):
    urls: list[str]
    """Where to begin. One that ends in /* stands for pages of the site below it."""
    schema: Any
    """JSON schema of the values. Default: made from the prompt."""
    maxCredits: float
    """No page is read and nothing is searched that could cost more than this in total."""
    strictConstrainToURLs: bool
    """Read the pages of urls only."""
    model: Literal["spark-1-pro", "spark-1-mini", "spark-2"]
    """Has no effect here: the language model of this installation is used."""
    effort: Literal["low", "medium", "high"]
    """How many steps it may take: 5, 10 or 20. Default: medium."""
    webhook: Union[str, AgentWebhook]
    """Where events of the job are sent: an address, or an object with headers, metadata and events."""
    threadId: str
    """Continue this thread: earlier runs are known."""
    mode: Literal["extract", "chat"]
    """extract: values in data; chat: an answer in words in message."""
    exchange: Any
    """Has no effect here: there are no paid providers."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _AgentStatusRequired(TypedDict):
    success: Literal[True]
    status: Literal["processing", "completed", "failed"]
    """A run that was cancelled has failed, and stopReason says so: clients know no other word."""
    model: str
    mode: Literal["extract", "chat"]
    threadId: str
    threadTurn: int
    expiresAt: str
    creditsUsed: int


class AgentStatus(_AgentStatusRequired, total=False):
    data: Any
    message: str
    """The answer, in the mode chat."""
    error: str
    code: str
    stopReason: str
    """Why it ended before it was done: cancelled, credit_limit_reached, step_limit, model."""
    sources: dict[str, list[str]]
    """The pages that state each value, by its path."""
    conflicts: list[Conflict]
    """Fields of which pages state different values: each value with its pages."""
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
    """With includeData."""


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
    """Handed back in each delivery."""
    events: list[str]
    """Events that are delivered. Default: all."""


class AttributesFormatSelectorsItem(TypedDict):
    selector: str
    """CSS selector of the elements."""
    attribute: str
    """Name of the attribute."""


class AttributesFormat(TypedDict):
    """Values of attributes, by CSS selector."""
    type: Literal["attributes"]
    selectors: list[AttributesFormatSelectorsItem]
    """Pairs of selector and attribute."""


class AudioFormat(TypedDict):
    """The recording on the page as MP3."""
    type: Literal["audio"]


class _BatchScrapeRequestRequired(TypedDict):
    urls: list[str]
    """URLs to scrape."""


class BatchScrapeRequest(_BatchScrapeRequestRequired, total=False):
    formats: list[Format]
    """What to return. An empty list returns metadata only."""
    onlyMainContent: bool
    """Leave out headers, navigation and footers."""
    mainContentMode: Literal["balanced", "container", "article"]
    """How much onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the whole element that contains it; article: only what is certainly its text."""
    onlyCleanContent: bool
    """A stricter pass over the Markdown, without a language model: furniture that is left in it goes, structures stay whole. Not with zero data retention."""
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
    """Time budget of the whole call (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """How files are read. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    removeBase64Images: bool
    """Leave embedded images out of the Markdown."""
    blockAds: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """How the site is reached."""
    storeInCache: bool
    """Cache the page for later calls. Default: true."""
    lockdown: bool
    """Serve from the cache only; never contact the site."""
    profile: Profile
    """Browser storage kept between calls: cookies, local storage, databases. Disables the cache."""
    fastMode: bool
    """Never use a browser."""
    redactPII: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in what is made of it."""
    ignoreInvalidURLs: bool
    """Skip invalid URLs instead of rejecting the call."""
    appendToId: str
    """Id of a running or completed batch of the team, to which the URLs are added."""
    maxConcurrency: int
    """Maximum number of pages of the batch scraped at the same time. Default: the slots of the team."""
    webhook: Union[str, Webhook]
    """Where events of the job are sent: an address, or an object with headers, metadata and events."""
    zeroDataRetention: bool
    """Not available for batches, because their results are stored until they are read."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class BlocksFormat(TypedDict):
    """The blocks of text of the page in order, which of them are in the Markdown, and why the others are not."""
    type: Literal["blocks"]


class BrandingColors(TypedDict, total=False):
    primary: str
    """As #RRGGBB."""
    secondary: str
    """As #RRGGBB."""
    accent: str
    """As #RRGGBB."""
    background: str
    """As #RRGGBB."""
    textPrimary: str
    """As #RRGGBB."""
    textSecondary: str
    """As #RRGGBB."""
    link: str
    """As #RRGGBB."""
    success: str
    """As #RRGGBB."""
    warning: str
    """As #RRGGBB."""
    error: str
    """As #RRGGBB."""


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
    """As #RRGGBB."""
    textColor: str
    """As #RRGGBB."""
    borderColor: str
    """As #RRGGBB."""
    borderRadius: str


class BrandingComponentsButtonSecondary(TypedDict, total=False):
    background: str
    """As #RRGGBB."""
    textColor: str
    """As #RRGGBB."""
    borderColor: str
    """As #RRGGBB."""
    borderRadius: str


class BrandingComponentsInput(TypedDict, total=False):
    borderColor: str
    """As #RRGGBB."""
    borderRadius: str


class BrandingComponents(TypedDict, total=False):
    buttonPrimary: BrandingComponentsButtonPrimary
    buttonSecondary: BrandingComponentsButtonSecondary
    input: BrandingComponentsInput


class BrandingIcons(TypedDict, total=False):
    style: str
    """outline or filled."""
    primaryColor: str
    """As #RRGGBB."""


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
    """URL of the logo; an inline drawing is returned as a data URL."""
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
    """How a site presents itself: colours, fonts, spacing, buttons and logo."""
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
    """Number of the line, from 1."""
    ln1: int
    """Number of the line, from 1."""
    ln2: int
    """Number of the line, from 1."""


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
    """The same in parts."""
    files: list[ChangeTrackingDiffJsonFilesItem]


class ChangeTrackingJsonValue(TypedDict):
    previous: Any
    current: Any


class _ChangeTrackingRequired(TypedDict):
    previousScrapeAt: Union[str, None]
    """When the previous version was fetched."""
    changeStatus: Literal["new", "same", "changed", "removed"]
    """removed: the page returns 404 or 410. With mode json, another value is a change as well."""
    visibility: Literal["visible", "hidden"]


class ChangeTracking(_ChangeTrackingRequired, total=False):
    diff: str
    """Unified diff of the Markdown, with mode git-diff."""
    diffJson: ChangeTrackingDiffJson
    """The same in parts."""
    json: dict[str, ChangeTrackingJsonValue]
    """With mode json, the fields that differ, by their paths; null stands for a value that was not read."""


class _ChangeTrackingFormatRequired(TypedDict):
    type: Literal["changeTracking"]


class ChangeTrackingFormat(_ChangeTrackingFormatRequired, total=False):
    """Changes of the page since the team last tracked it. Needs the format markdown."""
    modes: list[Literal["git-diff", "json"]]
    """How changes are shown: git-diff, the lines that differ; json, the values that differ."""
    schema: Any
    """With mode json: JSON schema of the values that are compared."""
    prompt: Union[str, None]
    """With mode json: what is wanted, in words. Read by a language model only."""
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
    """Patterns: only pages whose path matches one of them are scraped."""
    excludePaths: list[str]
    """Patterns: pages whose path matches one of them are not scraped."""
    maxDiscoveryDepth: int
    """Steps from the start. Pages at the limit are scraped, but nothing is followed from them."""
    crawlEntireDomain: bool
    """Follow links to pages beside and above the start. Default: only pages below it."""
    allowExternalLinks: bool
    """Scrape pages of other sites that the site links to, one step far. Default: false."""
    allowSubdomains: bool
    """Follow links to other subdomains. Default: false."""
    sitemap: Literal["skip", "include", "only"]
    """What to do with sitemaps. Default: include."""
    ignoreQueryParameters: bool
    """Pages that differ in their query only are one page. Default: false."""
    ignoreRobotsTxt: bool
    """Do not ask robots.txt. Default: false."""
    robotsUserAgent: str
    """Name to look for in robots.txt. Default: WinnowBot."""
    deduplicateSimilarURLs: bool
    """www, http, slashes at the end and index files make no difference. Default: true."""
    delay: float
    """Seconds between two pages; then one is scraped at a time."""
    limit: int
    """Most pages that are returned. Default: 10000."""


class _CrawlRequestRequired(TypedDict):
    url: str
    """Where the crawl starts."""


class CrawlRequest(_CrawlRequestRequired, total=False):
    prompt: str
    """What to crawl, in plain language. Options that are given win over it."""
    includePaths: list[str]
    """Patterns: only pages whose path matches one of them are scraped."""
    excludePaths: list[str]
    """Patterns: pages whose path matches one of them are not scraped."""
    regexOnFullURL: bool
    """Patterns see the whole URL, not the path. Default: false."""
    maxDiscoveryDepth: int
    """Steps from the start. Pages at the limit are scraped, but nothing is followed from them."""
    sitemap: Literal["skip", "include", "only"]
    """What to do with sitemaps. Default: include."""
    ignoreQueryParameters: bool
    """Pages that differ in their query only are one page. Default: false."""
    deduplicateSimilarURLs: bool
    """www, http, slashes at the end and index files make no difference. Default: true."""
    limit: int
    """Most pages that are returned. Default: 10000."""
    crawlEntireDomain: bool
    """Follow links to pages beside and above the start. Default: only pages below it."""
    allowExternalLinks: bool
    """Scrape pages of other sites that the site links to, one step far. Default: false."""
    removeRepeatedContent: bool
    """Leave out texts that most pages of the site show; never headings, terms, cells or code. Default: false: each page reads as if it were scraped alone."""
    allowSubdomains: bool
    """Follow links to other subdomains. Default: false."""
    ignoreRobotsTxt: bool
    """Do not ask robots.txt. Default: false."""
    robotsUserAgent: str
    """Name to look for in robots.txt. Default: WinnowBot."""
    delay: float
    """Seconds between two pages; then one is scraped at a time."""
    maxConcurrency: int
    """Most pages scraped at the same time. Default: as many as the team has slots."""
    scrapeOptions: ScrapeOptions
    """How each page is scraped."""
    webhook: Union[str, Webhook]
    """Where events of the job are sent: an address, or an object with headers, metadata and events."""
    zeroDataRetention: bool
    """Not available for crawls: their results are kept to be read."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _DeliveryAttemptsItemRequired(TypedDict):
    at: str
    ms: int
    """How long the attempt took."""


class DeliveryAttemptsItem(_DeliveryAttemptsItemRequired, total=False):
    status: int
    """What the receiver answered."""
    error: str


class _DeliveryRequired(TypedDict):
    webhookId: str
    """Id of the delivery, the same in all its attempts."""
    id: str
    """Id of the job that the event is about."""
    type: str
    """The event."""
    state: Literal["waiting", "delivered", "failed"]
    attempts: list[DeliveryAttemptsItem]
    createdAt: str


class Delivery(_DeliveryRequired, total=False):
    nextAttemptAt: str
    """Present while it waits."""


class _DeliveryDetailsAttemptsItemRequired(TypedDict):
    at: str
    ms: int
    """How long the attempt took."""


class DeliveryDetailsAttemptsItem(_DeliveryDetailsAttemptsItemRequired, total=False):
    status: int
    """What the receiver answered."""
    error: str


class _DeliveryDetailsRequired(TypedDict):
    webhookId: str
    """Id of the delivery, the same in all its attempts."""
    id: str
    """Id of the job that the event is about."""
    type: str
    """The event."""
    state: Literal["waiting", "delivered", "failed"]
    attempts: list[DeliveryDetailsAttemptsItem]
    createdAt: str


class DeliveryDetails(_DeliveryDetailsRequired, total=False):
    nextAttemptAt: str
    """Present while it waits."""
    url: str
    """Where it is sent; absent once the webhook of the job is removed."""
    payload: dict[str, Any]
    """What is sent, with the documents as they are kept now; absent with the url."""


class _DeterministicJsonFormatRequired(TypedDict):
    type: Literal["deterministicJson"]


class DeterministicJsonFormat(_DeterministicJsonFormatRequired, total=False):
    """Values of the page by a JSON schema, read by rules alone and never by a language model: the same page gives the same values."""
    schema: Any
    """JSON schema of the values. Required."""
    prompt: Union[str, None]
    """No effect: words are read by a language model only, see the format json."""


class _DeveloperSearchRequestRequired(TypedDict):
    query: str
    """A question about code, a library or an error."""


class DeveloperSearchRequest(_DeveloperSearchRequestRequired, total=False):
    k: int
    """Most results, 1 to 100."""
    passages: int
    """Passages of each result, 1 to 5."""
    types: list[Literal["doc", "issue", "pull_request", "readme"]]
    """What to search: doc are own pages; the others are of GitHub. Default: all."""
    repos: list[str]
    """Repositories of GitHub, owner/name."""
    sources: list[str]
    """Hostnames of own pages."""
    language: str
    """Main language of the repository."""
    topic: list[str]
    """Topics that the repository has, all of them."""
    license: str
    """SPDX identifier of its licence."""
    min_stars: int
    max_stars: int
    archived: bool
    fork: bool
    skills: Literal["only"]
    """Not available here."""
    origin: str
    """Label of the caller, kept with the job."""
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
    """Such as issue:owner/name#1."""
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
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class DocumentAttributesItem(TypedDict):
    selector: str
    attribute: str
    values: list[str]


class _DocumentJsonEvidenceValueRequired(TypedDict):
    text: str
    """What the page says there."""
    reader: str
    """How it was read: json-ld, microdata, label, table, records and so on."""


class DocumentJsonEvidenceValue(_DocumentJsonEvidenceValueRequired, total=False):
    selector: str
    """The element in which the text stands, as a CSS selector."""
    property: str
    """The property in structured data or metadata."""


class _DocumentRequired(TypedDict):
    metadata: DocumentMetadata


class Document(_DocumentRequired, total=False):
    attributes: list[DocumentAttributesItem]
    """The values in document order, unchanged: URLs are not made absolute."""
    audio: str
    """URL of the MP3; it expires after one hour."""
    textBlocks: list[TextBlock]
    """The blocks of text of the page in order, kept or left out."""
    branding: Branding
    """Colours, fonts, spacing, buttons and logo, as far as the page shows them."""
    changeTracking: ChangeTracking
    """Changes since the previous version."""
    json: Any
    """The values, in the shape of the schema."""
    jsonEvidence: dict[str, DocumentJsonEvidenceValue]
    """Where each value comes from, by its path: `offers.price`, `items[0].name`."""
    highlights: str
    """Sentences as they stand on the page, the best passage first, with blank lines between passages."""
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
    """A short answer if one is certain, then the sentences of the page that answer, as Markdown quotes."""
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
    """Results of the actions, in order; present if there were any."""
    task: TaskResult
    """What an agent did on the page before it was read, in the words of its language model."""
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
    """Language of the code; `bash` has the command agent-browser."""
    timeout: int
    """Time limit of the code in seconds."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class ExtractRequestAgent1(TypedDict, total=False):
    model: str


class ExtractRequest(TypedDict, total=False):
    urls: list[str]
    """Pages to read. One that ends in /* stands for pages of the site below it."""
    prompt: str
    """What is wanted, in words. Without a schema it needs a language model."""
    systemPrompt: str
    """What the language model shall observe besides the prompt."""
    schema: Any
    """JSON schema of the values."""
    limit: int
    """Maximum number of pages that are read; the most relevant ones of a site are taken."""
    ignoreSitemap: bool
    """Find pages of a site by its links alone."""
    includeSubdomains: bool
    """Also read pages of other subdomains of a site."""
    allowExternalLinks: bool
    """Also read pages of other sites to which a site links. Needs an address that ends in /*."""
    enableWebSearch: bool
    """Also read pages that a search for the prompt finds. On by itself where no URL is given."""
    showSources: bool
    """Add the pages that state each value, and every value on which pages disagree."""
    scrapeOptions: ScrapeOptions
    """How each page is scraped."""
    ignoreInvalidURLs: bool
    """Skip invalid URLs instead of rejecting the call."""
    timeout: float
    """Time budget (ms). Pages that have not been read by then are left out and named."""
    agent: Union[ExtractRequestAgent1, None]
    """Has no effect here: POST /v2/agent looks for pages by itself."""
    urlTrace: bool
    """Add what became of each page."""
    webhook: Union[str, Webhook]
    """Where events of the job are sent: an address, or an object with headers, metadata and events."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _ExtractStatusStepsItemRequired(TypedDict):
    step: str
    status: str


class ExtractStatusStepsItem(_ExtractStatusStepsItemRequired, total=False):
    discoveredLinks: list[str]


class _ExtractStatusRequired(TypedDict):
    success: bool
    """False when it failed."""
    status: Literal["processing", "completed", "failed", "cancelled"]
    data: Any
    """The values in the shape of the schema; an empty list while it is processing."""
    expiresAt: str
    tokensUsed: int
    """creditsUsed, in tokens."""
    creditsUsed: int


class ExtractStatus(_ExtractStatusRequired, total=False):
    error: str
    """Why it failed."""
    code: str
    """The error code, when it failed."""
    warning: str
    sources: dict[str, list[str]]
    """The pages that state each value, by its path."""
    conflicts: list[Conflict]
    """Fields of which pages state different values: each value with its pages."""
    steps: list[ExtractStatusStepsItem]
    """What was done, in order."""
    urlTrace: list[TracedUrl]
    """With urlTrace: what became of each page."""


class _FeedbackValuableSourcesItemRequired(TypedDict):
    url: str
    """A result that was useful."""


class FeedbackValuableSourcesItem(_FeedbackValuableSourcesItemRequired, total=False):
    reason: str


class _FeedbackMissingContentItemRequired(TypedDict):
    topic: str
    """What was expected and not found."""


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
    """What was expected and not found."""


class FeedbackRequestMissingContentItem(_FeedbackRequestMissingContentItemRequired, total=False):
    description: str


class _FeedbackRequestRequired(TypedDict):
    endpoint: Literal["search", "scrape", "parse", "map"]
    """What kind of job it is about."""
    jobId: str
    """The job it is about."""
    rating: Literal["good", "partial", "bad"]


class FeedbackRequest(_FeedbackRequestRequired, total=False):
    valuableSources: list[FeedbackRequestValuableSourcesItem]
    valuableResultPositions: list[int]
    """The same by place in the list of results."""
    missingContent: list[FeedbackRequestMissingContentItem]
    querySuggestions: str
    """How the query should be changed."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""
    issues: list[str]
    """What was wrong, as short names: missing_markdown."""
    tags: list[str]
    note: str
    url: str
    """The page it is about."""
    pageNumbers: list[int]
    """Pages of a document."""
    metadata: dict[str, Any]


class HighlightsFormat(TypedDict):
    """The passages of the page that answer a query, word for word."""
    type: Literal["highlights"]
    query: str
    """What to look for."""


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
    """Place in the list, from 1."""


class ImageResult(_ImageResultRequired, total=False):
    imageWidth: int
    imageHeight: int


class ImagesFormat(TypedDict):
    """Absolute URLs of the images of the page, each once, in the largest available size."""
    type: Literal["images"]


class _InteractResultRequired(TypedDict):
    success: bool
    """Whether the run completed without errors."""
    sessionId: str
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """Page to watch the browser; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """Page to watch and control the browser."""
    stdout: Union[str, None]
    result: Union[str, None]
    """The value of the last expression; for a prompt, the page at the end."""
    stderr: Union[str, None]
    exitCode: Union[int, None]
    """0 means success."""
    killed: bool
    """The run was ended because it reached its timeout."""


class InteractResult(_InteractResultRequired, total=False):
    output: str
    """The answer to a prompt."""
    error: str
    """What went wrong."""
    truncated: bool
    """The output was truncated."""
    warning: str


class _JobStatusRequired(TypedDict):
    success: Literal[True]
    status: Literal["scraping", "completed", "failed", "cancelled"]
    total: int
    """Pages that have not failed."""
    completed: int
    creditsUsed: int
    expiresAt: str
    createdAt: str
    data: list[Document]


class JobStatus(_JobStatusRequired, total=False):
    completedAt: str
    duration: float
    """Seconds from the start to the end; present when it has ended."""
    error: str
    """Why it failed."""
    next: str
    """Where the next documents are; absent when there are none now."""
    warning: str


class JobTraceError1(TypedDict):
    code: str
    error: str
    detail: dict[str, Any]


class JobTracePages1ErrorsItem(TypedDict):
    code: str
    count: int
    id: str
    """One of these jobs."""


class JobTracePages1(TypedDict):
    queued: int
    running: int
    completed: int
    failed: int
    cancelled: int
    skipped: dict[str, int]
    """Addresses that a crawl left out, by reason."""
    errors: list[JobTracePages1ErrorsItem]
    """Why pages failed, the commonest reason first."""
    notes: list[str]
    """What the crawl has to say of its site."""


class _JobTraceDeliveriesItemAttemptsItemRequired(TypedDict):
    at: str
    ms: int
    """How long the attempt took."""


class JobTraceDeliveriesItemAttemptsItem(_JobTraceDeliveriesItemAttemptsItemRequired, total=False):
    status: int
    """What the receiver answered."""
    error: str


class _JobTraceDeliveriesItemRequired(TypedDict):
    webhookId: str
    """Id of the delivery, the same in all its attempts."""
    id: str
    """Id of the job that the event is about."""
    type: str
    """The event."""
    state: Literal["waiting", "delivered", "failed"]
    attempts: list[JobTraceDeliveriesItemAttemptsItem]
    createdAt: str


class JobTraceDeliveriesItem(_JobTraceDeliveriesItemRequired, total=False):
    nextAttemptAt: str
    """Present while it waits."""


class JobTrace(TypedDict):
    id: str
    kind: str
    state: str
    target: Union[str, None]
    parentId: Union[str, None]
    """The crawl or batch that it is a page of."""
    attempts: int
    """How often it was started."""
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    credits: float
    """Charged, or set aside while it runs."""
    error: Union[JobTraceError1, None]
    steps: list[TraceStep]
    """What happened, in order. Empty while the job runs; of a crawl, how it began."""
    pages: Union[JobTracePages1, None]
    """Of a crawl or a batch."""
    deliveries: list[JobTraceDeliveriesItem]
    """Webhooks of the job, the newest first."""


class _JsonFormatRequired(TypedDict):
    type: Literal["json"]


class JsonFormat(_JsonFormatRequired, total=False):
    """Values of the page by a JSON schema, each with its evidence. What the page does not say is left out."""
    schema: Any
    """JSON schema of the values."""
    prompt: Union[str, None]
    """What is wanted, in words. Read by a language model only."""
    checkPromptInjection: Union[bool, None]
    """Accepted: instructions on a page never change what is read, whatever this says."""


class LinksFormat(TypedDict):
    """Absolute URLs that the page links to, in document order, each once."""
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
    """The site, or a part of it."""


class MapRequest(_MapRequestRequired, total=False):
    search: str
    """Sorts all found pages by relevance to this text, before limit cuts them. Only its first 50 words count."""
    sitemap: Literal["skip", "include", "only"]
    """skip: do not read sitemaps; only: read nothing else; include: read both, so it never lists less than skip."""
    includeSubdomains: bool
    """Also list pages of other subdomains."""
    ignoreQueryParameters: bool
    """Leave out URLs with a query."""
    ignoreCache: bool
    """Read sitemaps again; otherwise they are cached for seven days."""
    limit: int
    """Maximum number of pages in the response."""
    timeout: float
    """Time budget (ms). The call returns the pages found by then."""
    location: Location
    """Country and languages to emulate."""
    headers: dict[str, str]
    """Headers sent to the site with each page that is read for links."""
    includePaths: list[str]
    """Patterns: only pages whose path matches one of them are listed."""
    excludePaths: list[str]
    """Patterns: pages whose path matches one of them are not listed."""
    allowExternalLinks: bool
    """List pages of other sites that the site links to."""
    filterByPath: bool
    """A URL with a path lists pages below it only."""
    useIndex: bool
    """Has no effect here: there is no index of other sites."""
    origin: str
    """Label of the caller, kept with the job."""
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
    """What the page says there."""
    reader: str
    """How it was read: json-ld, microdata, label, table, records and so on."""


class NewsResultJsonEvidenceValue(_NewsResultJsonEvidenceValueRequired, total=False):
    selector: str
    """The element in which the text stands, as a CSS selector."""
    property: str
    """The property in structured data or metadata."""


class _NewsResultRequired(TypedDict):
    title: str
    snippet: str
    url: str
    position: int
    """Place in the list, from 1."""


class NewsResult(_NewsResultRequired, total=False):
    marks: list[list[Any]]
    """Where words of the query stand in the text beside: first character, and the one after the last."""
    date: str
    imageUrl: str
    attributes: list[NewsResultAttributesItem]
    """The values in document order, unchanged: URLs are not made absolute."""
    audio: str
    """URL of the MP3; it expires after one hour."""
    textBlocks: list[TextBlock]
    """The blocks of text of the page in order, kept or left out."""
    branding: Branding
    """Colours, fonts, spacing, buttons and logo, as far as the page shows them."""
    changeTracking: ChangeTracking
    """Changes since the previous version."""
    json: Any
    """The values, in the shape of the schema."""
    jsonEvidence: dict[str, NewsResultJsonEvidenceValue]
    """Where each value comes from, by its path: `offers.price`, `items[0].name`."""
    highlights: str
    """Sentences as they stand on the page, the best passage first, with blank lines between passages."""
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
    """A short answer if one is certain, then the sentences of the page that answer, as Markdown quotes."""
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
    """Results of the actions, in order; present if there were any."""
    task: TaskResult
    """What an agent did on the page before it was read, in the words of its language model."""
    warning: str
    """Information for the caller: options without effect, limits reached."""
    metadata: ResultMetadata


class OperatorKeyTeam(TypedDict):
    id: str
    name: str


class OperatorKey(TypedDict):
    id: str
    hint: str
    """The first characters of the key."""
    team: OperatorKeyTeam
    isOperator: bool
    createdAt: str
    lastUsedAt: Union[str, None]
    """To ten minutes; null: not known."""
    revokedAt: Union[str, None]


class OperatorTeam(TypedDict):
    id: str
    name: str
    balance: Union[int, None]
    """Credits that are left; null: the team has no limit."""
    unlimited: bool
    concurrency: int
    """Jobs of the team that may run at once."""
    hasDefaultConcurrency: bool
    """The concurrency is TEAM_CONCURRENCY."""
    zeroDataRetention: bool
    """Calls of the team may ask for zero data retention."""
    searchIndex: bool
    """Stored pages of the team are indexed, so that its searches find them."""
    signsWebhooks: bool
    """The team has a secret that its webhooks are signed with."""
    derivedWebhookSecret: Union[str, None]
    """The secret that is derived from WEBHOOK_SECRET and signs the webhooks of this team, because it has no own one; null if it has one, if it is the first team, or if WEBHOOK_SECRET is not set."""
    keys: int
    """Keys that are not revoked."""
    creditsUsed: int
    """In the last 30 days."""
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
    """When it was first seen."""
    lastSeen: str
    """When the page was last seen like this."""
    size: Union[int, None]
    """Bytes of its Markdown; null where that was not noted."""


class _PaperRequired(TypedDict):
    paperId: str
    ids: dict[str, list[str]]
    """What it is known by, by scheme."""
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
    """How many papers cite it."""
    seedOverlap: float


class _PaperResultRequired(TypedDict):
    paperId: str
    primaryId: str
    """The name to ask for it by."""
    ids: dict[str, list[str]]
    """What it is known by, by scheme."""
    title: str
    abstract: str
    """Empty where no provider has it."""
    url: str
    score: float


class PaperResult(_PaperResultRequired, total=False):
    signals: PaperResultSignals


class ParseOptions(TypedDict, total=False):
    formats: list[Format]
    """What to return. An empty list returns metadata only."""
    onlyMainContent: bool
    """Leave out headers, navigation and footers."""
    mainContentMode: Literal["balanced", "container", "article"]
    """How much onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the whole element that contains it; article: only what is certainly its text."""
    includeTags: list[str]
    """CSS selectors: keep only what they match."""
    excludeTags: list[str]
    """CSS selectors: remove what they match."""
    headers: dict[str, str]
    """No effect: nothing is fetched for a file."""
    timeout: int
    """Time budget of the whole call (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """How files are read. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    skipTlsVerification: bool
    """No effect: nothing is fetched for a file."""
    removeBase64Images: bool
    """Leave embedded images out of the Markdown."""
    blockAds: bool
    """No effect: nothing is fetched for a file."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """No effect: nothing is fetched for a file."""
    fastMode: bool
    """No effect: nothing is fetched for a file."""
    onlyCleanContent: bool
    """A stricter pass over the Markdown, without a language model: furniture that is left in it goes, structures stay whole. Not with zero data retention."""
    redactPII: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in what is made of it."""
    zeroDataRetention: bool
    """Keep nothing of this call. Must be enabled for the team."""
    origin: str
    """Label of the caller, kept with the job."""
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
    """What the page says there."""
    reader: str
    """How it was read: json-ld, microdata, label, table, records and so on."""


class ParsedDocumentJsonEvidenceValue(_ParsedDocumentJsonEvidenceValueRequired, total=False):
    selector: str
    """The element in which the text stands, as a CSS selector."""
    property: str
    """The property in structured data or metadata."""


class _ParsedDocumentRequired(TypedDict):
    metadata: ParsedDocumentMetadata


class ParsedDocument(_ParsedDocumentRequired, total=False):
    attributes: list[ParsedDocumentAttributesItem]
    """The values in document order, unchanged: URLs are not made absolute."""
    audio: str
    """URL of the MP3; it expires after one hour."""
    textBlocks: list[TextBlock]
    """The blocks of text of the page in order, kept or left out."""
    branding: Branding
    """Colours, fonts, spacing, buttons and logo, as far as the page shows them."""
    changeTracking: ChangeTracking
    """Changes since the previous version."""
    json: Any
    """The values, in the shape of the schema."""
    jsonEvidence: dict[str, ParsedDocumentJsonEvidenceValue]
    """Where each value comes from, by its path: `offers.price`, `items[0].name`."""
    highlights: str
    """Sentences as they stand on the page, the best passage first, with blank lines between passages."""
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
    """A short answer if one is certain, then the sentences of the page that answer, as Markdown quotes."""
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
    """What an agent did on the page before it was read, in the words of its language model."""
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
    """Mark the beginning of each page in the Markdown."""


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
    """As the page writes it."""


class _ProductVariantsItemSaleOriginalPriceRequired(TypedDict):
    amount: float


class ProductVariantsItemSaleOriginalPrice(_ProductVariantsItemSaleOriginalPriceRequired, total=False):
    currency: str
    """Only if the page states it."""
    formatted: str
    """As the page writes it."""


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
    """Options such as colour and size."""
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
    """The product that a page sells, from its structured data."""
    type: Literal["product"]


class _ProfileRequired(TypedDict):
    name: str
    """Scrapes and sessions with the same name share storage."""


class Profile(_ProfileRequired, total=False):
    saveChanges: bool
    """Save the storage at the end. Only one call may save at a time; false only loads."""


class _QueryFormatRequired(TypedDict):
    type: Literal["query"]
    prompt: str
    """The question, or what to look for."""


class QueryFormat(_QueryFormatRequired, total=False):
    """Older name of question (mode freeform) and highlights (mode directQuote)."""
    mode: Literal["freeform", "directQuote"]
    """freeform: as question, in `answer`. directQuote: as highlights, in `highlights`."""


class QuestionFormat(TypedDict):
    """The answer to a question, from the page alone."""
    type: Literal["question"]
    question: str
    """The question."""


class RawBase64Format(TypedDict):
    """The body as received, in base64; must be the only format of the request."""
    type: Literal["rawBase64"]


class RawHtmlFormat(TypedDict):
    """The page as received, decoded to text."""
    type: Literal["rawHtml"]


class RedactPII(TypedDict, total=False):
    mode: Literal["accurate", "aggressive", "fast"]
    """accurate: what a checksum, a shape of its own or a word beside it proves. aggressive: a shape alone is enough. fast: checksums and shapes of their own only."""
    entities: list[Literal["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"]]
    """Kinds of personal data. Default: all."""
    replaceStyle: Literal["tag", "mask", "remove"]
    """tag: the name of the kind, such as <EMAIL>. mask: a block for each character. remove: nothing."""


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
    """Null: nothing has been saved yet."""
    inUse: bool
    """A session or a scrape will save to it; it cannot be deleted meanwhile."""


class ScrapeAction(TypedDict):
    """Returns the current URL and HTML of the page."""
    type: Literal["scrape"]


class ScrapeOptions(TypedDict, total=False):
    formats: list[Format]
    """What to return. An empty list returns metadata only."""
    onlyMainContent: bool
    """Leave out headers, navigation and footers."""
    mainContentMode: Literal["balanced", "container", "article"]
    """How much onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the whole element that contains it; article: only what is certainly its text."""
    onlyCleanContent: bool
    """A stricter pass over the Markdown, without a language model: furniture that is left in it goes, structures stay whole. Not with zero data retention."""
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
    """Time budget of the whole call (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """How files are read. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    removeBase64Images: bool
    """Leave embedded images out of the Markdown."""
    blockAds: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """How the site is reached."""
    storeInCache: bool
    """Cache the page for later calls. Default: true."""
    lockdown: bool
    """Serve from the cache only; never contact the site."""
    profile: Profile
    """Browser storage kept between calls: cookies, local storage, databases. Disables the cache."""
    fastMode: bool
    """Never use a browser."""
    redactPII: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in what is made of it."""


class _ScrapeRequestRequired(TypedDict):
    url: str
    """URL to scrape. The default scheme is http."""


class ScrapeRequest(_ScrapeRequestRequired, total=False):
    formats: list[Format]
    """What to return. An empty list returns metadata only."""
    onlyMainContent: bool
    """Leave out headers, navigation and footers."""
    mainContentMode: Literal["balanced", "container", "article"]
    """How much onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the whole element that contains it; article: only what is certainly its text."""
    onlyCleanContent: bool
    """A stricter pass over the Markdown, without a language model: furniture that is left in it goes, structures stay whole. Not with zero data retention."""
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
    """Time budget of the whole call (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """How files are read. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    removeBase64Images: bool
    """Leave embedded images out of the Markdown."""
    blockAds: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """How the site is reached."""
    storeInCache: bool
    """Cache the page for later calls. Default: true."""
    lockdown: bool
    """Serve from the cache only; never contact the site."""
    profile: Profile
    """Browser storage kept between calls: cookies, local storage, databases. Disables the cache."""
    fastMode: bool
    """Never use a browser."""
    redactPII: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in what is made of it."""
    zeroDataRetention: bool
    """Keep nothing of this call. Must be enabled for the team."""
    origin: str
    """Label of the caller, kept with the job."""
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
    """The whole page instead of its first screen."""
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
    """What was expected and not found."""


class SearchFeedbackRequestMissingContentItem(_SearchFeedbackRequestMissingContentItemRequired, total=False):
    description: str


class _SearchFeedbackRequestRequired(TypedDict):
    rating: Literal["good", "partial", "bad"]


class SearchFeedbackRequest(_SearchFeedbackRequestRequired, total=False):
    valuableSources: list[SearchFeedbackRequestValuableSourcesItem]
    valuableResultPositions: list[int]
    """The same by place in the list of results."""
    missingContent: list[SearchFeedbackRequestMissingContentItem]
    querySuggestions: str
    """How the query should be changed."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _SearchRequestRequired(TypedDict):
    query: str
    """What to look for. Operators: quotes, minus, OR, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize:, larger:."""


class SearchRequest(_SearchRequestRequired, total=False):
    limit: int
    """Maximum number of results of each source."""
    sources: list[Union[SearchSource, AbsentSearchSource]]
    """Which lists the response has. alexandria and exchange are not available here: they are left out."""
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
    """A place in words: `City,Region,Country`. Best together with country."""
    lang: str
    """ISO 639 code of a language."""
    timeout: float
    """Time budget of the whole call (ms)."""
    ignoreInvalidURLs: bool
    """Leave out results whose URL other endpoints would reject."""
    enterprise: list[Literal["anon", "zdr", "default"]]
    """zdr, anon: keep nothing of this call. Must be enabled for the team."""
    scrapeOptions: ScrapeOptions
    """How each result is scraped; without formats, results are not scraped."""
    asyncScraping: bool
    """Respond before the results are scraped; scrapeIds names the jobs."""
    highlights: bool
    """Describe pages of the own index by the passage that answers, not by how they begin."""
    safe: bool
    """Leave out explicit results, where the provider can."""
    origin: str
    """Label of the caller, kept with the job."""
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
    """A place in words: `City,Region,Country`. Best together with country."""
    lang: str
    """ISO 639 code of a language."""
    filter: Any


class Session(TypedDict):
    id: str
    status: Literal["active", "destroyed", "error"]
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """Page to watch the browser; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """Page to watch and control the browser."""
    streamWebView: bool
    createdAt: str
    lastActivity: str


class SessionRequest(TypedDict, total=False):
    ttl: int
    """Maximum lifetime of the session in seconds."""
    activityTtl: int
    """Seconds without activity after which it ends."""
    streamWebView: bool
    """Whether the session has a live view."""
    profile: Profile
    """Storage kept after the session ends."""
    recordSession: bool
    """Sessions are not recorded."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class SummaryFormat(TypedDict):
    """The page in a few sentences, in its own language."""
    type: Literal["summary"]


class SupportAnswerValidation1(TypedDict):
    tested: bool
    result: Literal["success", "failure", "skipped"]
    evidence: str
    """The options of each trial, what they brought, and what the trials did on the site."""


class SupportAnswerFeedback1(TypedDict):
    blockedBy: str
    attempted: list[str]


class SupportAnswer(TypedDict):
    requestId: str
    answer: str
    """Two to four sentences: diagnosis and remedy."""
    confidence: Literal["high", "medium", "low"]
    cause: Union[str, None]
    """The name of the cause; null where none was found."""
    fixParameters: Union[dict[str, Any], None]
    """Options that mend it, to be merged into the request."""
    validation: Union[SupportAnswerValidation1, None]
    feedback: Union[SupportAnswerFeedback1, None]
    """Where the agent is stuck: what blocks it, and what it tried."""
    jobId: Union[str, None]
    """The job that was looked at."""
    durationMs: int


class _SupportQuestionRequired(TypedDict):
    question: str
    """What went wrong, or what is to be known."""


class SupportQuestion(_SupportQuestionRequired, total=False):
    rationale: str
    """What the end user wants to reach, in one or two sentences."""
    jobId: str
    """The job that the question is about."""
    context: dict[str, Any]
    """Anything else that is known: the request, the error, what was tried."""
    allowActions: bool
    """Lets trials repeat the actions of the job and try clicks. They have effects on the site each time: a form is submitted again. Without it, a job with such actions is not repeated."""


class _TaskResultRequired(TypedDict):
    answer: str
    steps: str


class TaskResult(_TaskResultRequired, total=False):
    stopped: str


class _TextBlockRequired(TypedDict):
    text: str
    """The first 300 characters."""
    selector: str
    """CSS selector of the element that it stands in."""
    isKept: bool
    """Whether it is in the Markdown."""


class TextBlock(_TextBlockRequired, total=False):
    reason: Literal["hidden on the page", "advertisement or dialog", "excludeTags", "outside includeTags", "not main content", "onlyCleanContent"]
    """Why it is left out; the same words as in the trace of the job."""
    probability: float
    """From 0 to 1: how likely it is content, by itself. What stands around a block may decide otherwise. Absent where the main content is not looked for, or the page has too little text to judge."""


class _TraceStepPlanRequired(TypedDict):
    step: Literal["plan"]
    at: int
    """Milliseconds since the job was started."""
    formats: list[str]
    cache: Literal["read", "only", "not read"]
    keeps: bool
    """Whether the page is kept in the cache."""
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
    """What the call asks for."""
    browserFor: str
    """Why only a browser can serve the call."""


class TraceStepQueue(TypedDict):
    """How long the call waited for one of the slots of its team."""
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
    """What the cache had, and when that was fetched."""
    fetchedAt: int


class _TraceStepRobotsRequired(TypedDict):
    step: Literal["robots"]
    at: int
    """Milliseconds since the job was started."""
    result: Literal["allowed", "denied", "ignored"]


class TraceStepRobots(_TraceStepRobotsRequired, total=False):
    """What robots.txt says of a page of a crawl."""
    message: str


class _TraceStepSitemapsRequired(TypedDict):
    step: Literal["sitemaps"]
    at: int
    """Milliseconds since the job was started."""
    mode: Literal["include", "skip", "only"]
    files: int
    """Sitemaps and feeds that could be read."""
    found: int
    """Addresses that they name."""


class TraceStepSitemaps(_TraceStepSitemapsRequired, total=False):
    """What a crawl or a map found in the sitemaps of its site."""
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
    """Where the page was found, if not where it was asked for."""
    contentType: str
    characters: int
    """Of a page that a browser has drawn."""
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
    """Whether what came is the page that was asked for."""
    reason: str


class TraceStepWait(TypedDict):
    """How the browser waited for the page to be complete."""
    step: Literal["wait"]
    at: int
    """Milliseconds since the job was started."""
    endedBy: Literal["at rest", "out of time"]
    ms: int
    """Milliseconds."""


class TraceStepConsent(TypedDict):
    """A dialog about consent was on the page."""
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
    """How much of the page became content."""
    step: Literal["read"]
    at: int
    """Milliseconds since the job was started."""
    pageCharacters: int
    """Text that the page shows."""
    keptCharacters: int
    """Text that was kept of it."""
    leftOut: list[TraceStepReadLeftOutItem]
    """Text that was left out, by reason."""


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
    """The formats were made."""
    markdownCharacters: int


class TraceStepOmitted(TypedDict):
    """There were more steps than a trace keeps."""
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
    """Name of the history; null: none was given."""
    isRedacted: bool
    """Personal data was taken out; such versions are a history of their own."""
    versions: int
    """Versions that are kept, ten at most."""
    firstSeen: str
    lastSeen: str
    lastChange: str
    """When the last version was first seen."""
    changeStatus: Union[Literal["new", "same", "changed", "removed"], None]
    """What the last comparison came to; null where that was not noted."""
    history: list[PageVersion]


class TrackedPage(TypedDict):
    id: str
    url: str
    tag: Union[str, None]
    """Name of the history; null: none was given."""
    isRedacted: bool
    """Personal data was taken out; such versions are a history of their own."""
    versions: int
    """Versions that are kept, ten at most."""
    firstSeen: str
    lastSeen: str
    lastChange: str
    """When the last version was first seen."""
    changeStatus: Union[Literal["new", "same", "changed", "removed"], None]
    """What the last comparison came to; null where that was not noted."""


class VideoFormat(TypedDict):
    """The video on the page. Not available here."""
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
    """What the page says there."""
    reader: str
    """How it was read: json-ld, microdata, label, table, records and so on."""


class WebResultJsonEvidenceValue(_WebResultJsonEvidenceValueRequired, total=False):
    selector: str
    """The element in which the text stands, as a CSS selector."""
    property: str
    """The property in structured data or metadata."""


class _WebResultRequired(TypedDict):
    title: str
    description: str
    url: str
    position: int
    """Place in the list, from 1."""


class WebResult(_WebResultRequired, total=False):
    marks: list[list[Any]]
    """Where words of the query stand in the text beside: first character, and the one after the last."""
    category: Literal["github", "research", "pdf"]
    date: str
    attributes: list[WebResultAttributesItem]
    """The values in document order, unchanged: URLs are not made absolute."""
    audio: str
    """URL of the MP3; it expires after one hour."""
    textBlocks: list[TextBlock]
    """The blocks of text of the page in order, kept or left out."""
    branding: Branding
    """Colours, fonts, spacing, buttons and logo, as far as the page shows them."""
    changeTracking: ChangeTracking
    """Changes since the previous version."""
    json: Any
    """The values, in the shape of the schema."""
    jsonEvidence: dict[str, WebResultJsonEvidenceValue]
    """Where each value comes from, by its path: `offers.price`, `items[0].name`."""
    highlights: str
    """Sentences as they stand on the page, the best passage first, with blank lines between passages."""
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
    """A short answer if one is certain, then the sentences of the page that answer, as Markdown quotes."""
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
    """Results of the actions, in order; present if there were any."""
    task: TaskResult
    """What an agent did on the page before it was read, in the words of its language model."""
    warning: str
    """Information for the caller: options without effect, limits reached."""
    metadata: ResultMetadata


class _WebhookRequired(TypedDict):
    url: str


class Webhook(_WebhookRequired, total=False):
    headers: dict[str, str]
    """Headers sent with each delivery."""
    metadata: dict[str, Any]
    """Handed back in each delivery."""
    events: list[str]
    """Events that are delivered. Default: all."""


class WriteAction(TypedDict):
    """Types text into the focused element, character by character; click it first."""
    type: Literal["write"]
    text: str


class AgentQuery(TypedDict, total=False):
    """List the agents of the team, newest first: what can be set."""
    before: int
    """Only runs from before this moment (ms since 1970)."""


class _GetAgentResponseRequired(TypedDict):
    success: Literal[True]
    agents: list[AgentListItem]


class GetAgentResponse(_GetAgentResponseRequired, total=False):
    """List the agents of the team, newest first."""
    next: str
    """Where the next runs are; absent when there are none."""
    warning: str


class AgentArguments(TypedDict, total=False):
    """Find pages for a task and read what they state, in the background: what can be set."""
    urls: list[str]
    """Where to begin. One that ends in /* stands for pages of the site below it."""
    schema: Any
    """JSON schema of the values. Default: made from the prompt."""
    max_credits: float
    """No page is read and nothing is searched that could cost more than this in total."""
    strict_constrain_to_urls: bool
    """Read the pages of urls only."""
    model: Literal["spark-1-pro", "spark-1-mini", "spark-2"]
    """Has no effect here: the language model of this installation is used."""
    effort: Literal["low", "medium", "high"]
    """How many steps it may take: 5, 10 or 20. Default: medium."""
    webhook: Union[str, AgentWebhook]
    """Where events of the job are sent: an address, or an object with headers, metadata and events."""
    thread_id: str
    """Continue this thread: earlier runs are known."""
    mode: Literal["extract", "chat"]
    """extract: values in data; chat: an answer in words in message."""
    exchange: Any
    """Has no effect here: there are no paid providers."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostAgentResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the run."""
    threadId: str
    """Send it with the next run to continue."""
    threadTurn: int


class PostAgentResponse(_PostAgentResponseRequired, total=False):
    """Find pages for a task and read what they state, in the background."""
    warning: str


class _DeleteAgentByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteAgentByIdResponse(_DeleteAgentByIdResponseRequired, total=False):
    """Cancel an agent."""
    warning: str


class _GetAgentSnapshotsByIdResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    snapshotId: str
    snapshot: str


class GetAgentSnapshotsByIdResponse(_GetAgentSnapshotsByIdResponseRequired, total=False):
    """Read the content that an event of the trace refers to."""
    warning: str


class AgentTraceQuery(TypedDict, total=False):
    """Read what an agent did, step by step: what can be set."""
    live_view: str
    """Agents open no browser sessions here: the list is empty."""


class AgentThreadsByIdQuery(TypedDict, total=False):
    """Read the runs of a thread, the oldest first: what can be set."""
    include_data: str
    """With the data of each run."""


class _GetAgentThreadsByIdResponseRequired(TypedDict):
    success: Literal[True]
    thread: AgentThread


class GetAgentThreadsByIdResponse(_GetAgentThreadsByIdResponseRequired, total=False):
    """Read the runs of a thread, the oldest first."""
    warning: str


class BatchScrapeArguments(TypedDict, total=False):
    """Scrape many URLs in the background: what can be set."""
    formats: list[Format]
    """What to return. An empty list returns metadata only."""
    only_main_content: bool
    """Leave out headers, navigation and footers."""
    main_content_mode: Literal["balanced", "container", "article"]
    """How much onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the whole element that contains it; article: only what is certainly its text."""
    only_clean_content: bool
    """A stricter pass over the Markdown, without a language model: furniture that is left in it goes, structures stay whole. Not with zero data retention."""
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
    """Time budget of the whole call (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """How files are read. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    remove_base64_images: bool
    """Leave embedded images out of the Markdown."""
    block_ads: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """How the site is reached."""
    store_in_cache: bool
    """Cache the page for later calls. Default: true."""
    lockdown: bool
    """Serve from the cache only; never contact the site."""
    profile: Profile
    """Browser storage kept between calls: cookies, local storage, databases. Disables the cache."""
    fast_mode: bool
    """Never use a browser."""
    redact_pii: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in what is made of it."""
    ignore_invalid_urls: bool
    """Skip invalid URLs instead of rejecting the call."""
    append_to_id: str
    """Id of a running or completed batch of the team, to which the URLs are added."""
    max_concurrency: int
    """Maximum number of pages of the batch scraped at the same time. Default: the slots of the team."""
    webhook: Union[str, Webhook]
    """Where events of the job are sent: an address, or an object with headers, metadata and events."""
    zero_data_retention: bool
    """Not available for batches, because their results are stored until they are read."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostBatchScrapeResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the batch."""
    url: str
    """Where its status can be read."""


class PostBatchScrapeResponse(_PostBatchScrapeResponseRequired, total=False):
    """Scrape many URLs in the background."""
    invalidURLs: list[str]
    """URLs that were left out."""
    warning: str


class _DeleteBatchScrapeByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["cancelled"]


class DeleteBatchScrapeByIdResponse(_DeleteBatchScrapeByIdResponseRequired, total=False):
    """Cancel a batch; what it has scraped stays readable."""
    warning: str


class BatchScrapeByIdQuery(TypedDict, total=False):
    """Read the progress and the documents of a batch: what can be set."""
    skip: int
    """Documents to leave out at the start."""
    limit: int
    """Most documents in one answer."""


class BatchScrapeDownloadQuery(TypedDict, total=False):
    """Download the documents of a batch as one file: what can be set."""
    format: Literal["jsonl", "csv", "zip"]
    """jsonl: one document per line, as they are; csv: one row per page; zip: one Markdown file per page, named by its address."""


class _GetBatchScrapeErrorsResponseRequired(TypedDict):
    success: Literal[True]
    errors: list[PageError]
    robotsBlocked: list[str]


class GetBatchScrapeErrorsResponse(_GetBatchScrapeErrorsResponseRequired, total=False):
    """Read which URLs of a batch failed, and why."""
    warning: str


class _PostBatchScrapeRetryResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the batch that scrapes them."""
    url: str
    """Where its status can be read."""
    count: int
    """Pages that are tried again."""


class PostBatchScrapeRetryResponse(_PostBatchScrapeRetryResponseRequired, total=False):
    """Scrape the pages of a batch that failed once more, as another batch."""
    warning: str


class BrowserQuery(TypedDict, total=False):
    """List the browser sessions of the team, newest first: what can be set."""
    status: Literal["active", "destroyed", "error"]
    """Only sessions in this state."""


class _GetBrowserResponseRequired(TypedDict):
    success: Literal[True]
    sessions: list[Session]
    """Newest first; the last thousand."""


class GetBrowserResponse(_GetBrowserResponseRequired, total=False):
    """List the browser sessions of the team, newest first."""
    warning: str


class BrowserArguments(TypedDict, total=False):
    """Open a browser of your own, to be driven by code, by DevTools or by hand: what can be set."""
    ttl: int
    """Maximum lifetime of the session in seconds."""
    activity_ttl: int
    """Seconds without activity after which it ends."""
    stream_web_view: bool
    """Whether the session has a live view."""
    profile: Profile
    """Storage kept after the session ends."""
    record_session: bool
    """Sessions are not recorded."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostBrowserResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """Page to watch the browser; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """Page to watch and control the browser."""
    expiresAt: str


class PostBrowserResponse(_PostBrowserResponseRequired, total=False):
    """Open a browser of your own, to be driven by code, by DevTools or by hand."""
    warning: str


class _DeleteBrowserByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["active", "destroyed", "error"]
    sessionDurationMs: int
    creditsBilled: int


class DeleteBrowserByIdResponse(_DeleteBrowserByIdResponseRequired, total=False):
    """End a browser session; answers what it cost, however often it is asked."""
    warning: str


class _GetBrowserByIdResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    status: Literal["active", "destroyed", "error"]
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """Page to watch the browser; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """Page to watch and control the browser."""
    streamWebView: bool
    createdAt: str
    lastActivity: str
    expiresAt: str


class GetBrowserByIdResponse(_GetBrowserByIdResponseRequired, total=False):
    """Read how a browser session stands."""
    sessionDurationMs: int
    """Duration of the session."""
    creditsBilled: int
    """Its cost, after it has ended."""
    error: str
    """Why it ended, if it did not end normally."""
    warning: str


class BrowserExecuteArguments(TypedDict, total=False):
    """Run code in a browser session; if the code fails, `error` says why: what can be set."""
    language: Literal["python", "node", "bash"]
    """Language of the code; `bash` has the command agent-browser."""
    timeout: int
    """Time limit of the code in seconds."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostBrowserExecuteResponseRequired(TypedDict):
    success: Literal[True]
    stdout: Union[str, None]
    result: Union[str, None]
    """The value of the last expression; for a prompt, the page at the end."""
    stderr: Union[str, None]
    exitCode: Union[int, None]
    """0 means success."""
    killed: bool
    """The run was ended because it reached its timeout."""


class PostBrowserExecuteResponse(_PostBrowserExecuteResponseRequired, total=False):
    """Run code in a browser session; if the code fails, `error` says why."""
    error: str
    """What went wrong."""
    truncated: bool
    """The output was truncated."""
    warning: str


class _GetBrowserReplayResponseRequired(TypedDict):
    success: Literal[True]


class GetBrowserReplayResponse(_GetBrowserReplayResponseRequired, total=False):
    """Read the recording of a session; there is none here."""
    warning: str


class _GetBrowserProfilesResponseRequired(TypedDict):
    success: Literal[True]
    profiles: list[SavedProfile]


class GetBrowserProfilesResponse(_GetBrowserProfilesResponseRequired, total=False):
    """List the profiles of the team by name, the first thousand."""
    warning: str


class _DeleteBrowserProfilesByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteBrowserProfilesByIdResponse(_DeleteBrowserProfilesByIdResponseRequired, total=False):
    """Forget what a profile has saved; also where nothing was."""
    warning: str


class _GetCapabilitiesResponseFeaturesItemRequired(TypedDict):
    name: str
    available: bool
    note: str
    """What it does, or why it does not work here."""


class GetCapabilitiesResponseFeaturesItem(_GetCapabilitiesResponseFeaturesItemRequired, total=False):
    enable: str
    """What an operator can do to have it."""


class _GetCapabilitiesResponseRequired(TypedDict):
    success: Literal[True]
    version: str
    features: list[GetCapabilitiesResponseFeaturesItem]


class GetCapabilitiesResponse(_GetCapabilitiesResponseRequired, total=False):
    """What works on this installation, and why the rest does not."""
    warning: str


class _GetConcurrencyCheckResponseRequired(TypedDict):
    success: Literal[True]
    concurrency: int
    maxConcurrency: int


class GetConcurrencyCheckResponse(_GetConcurrencyCheckResponseRequired, total=False):
    """Slots of the team that are taken, and how many it has."""
    warning: str


class _PostConsoleKeyResponseRequired(TypedDict):
    success: Literal[True]
    key: str
    """The key of the file api-key in DATA_DIR."""


class PostConsoleKeyResponse(_PostConsoleKeyResponseRequired, total=False):
    """Change the code of the link that the start prints into the key of this machine, once."""
    warning: str


class CrawlArguments(TypedDict, total=False):
    """Scrape the pages of a site in the background: what can be set."""
    prompt: str
    """What to crawl, in plain language. Options that are given win over it."""
    include_paths: list[str]
    """Patterns: only pages whose path matches one of them are scraped."""
    exclude_paths: list[str]
    """Patterns: pages whose path matches one of them are not scraped."""
    regex_on_full_url: bool
    """Patterns see the whole URL, not the path. Default: false."""
    max_discovery_depth: int
    """Steps from the start. Pages at the limit are scraped, but nothing is followed from them."""
    sitemap: Literal["skip", "include", "only"]
    """What to do with sitemaps. Default: include."""
    ignore_query_parameters: bool
    """Pages that differ in their query only are one page. Default: false."""
    deduplicate_similar_urls: bool
    """www, http, slashes at the end and index files make no difference. Default: true."""
    limit: int
    """Most pages that are returned. Default: 10000."""
    crawl_entire_domain: bool
    """Follow links to pages beside and above the start. Default: only pages below it."""
    allow_external_links: bool
    """Scrape pages of other sites that the site links to, one step far. Default: false."""
    remove_repeated_content: bool
    """Leave out texts that most pages of the site show; never headings, terms, cells or code. Default: false: each page reads as if it were scraped alone."""
    allow_subdomains: bool
    """Follow links to other subdomains. Default: false."""
    ignore_robots_txt: bool
    """Do not ask robots.txt. Default: false."""
    robots_user_agent: str
    """Name to look for in robots.txt. Default: WinnowBot."""
    delay: float
    """Seconds between two pages; then one is scraped at a time."""
    max_concurrency: int
    """Most pages scraped at the same time. Default: as many as the team has slots."""
    scrape_options: ScrapeOptions
    """How each page is scraped."""
    webhook: Union[str, Webhook]
    """Where events of the job are sent: an address, or an object with headers, metadata and events."""
    zero_data_retention: bool
    """Not available for crawls: their results are kept to be read."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostCrawlResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the crawl."""
    url: str
    """Where its status can be read."""


class PostCrawlResponse(_PostCrawlResponseRequired, total=False):
    """Scrape the pages of a site in the background."""
    promptGeneratedOptions: CrawlPreview
    """What the prompt came to."""
    finalCrawlerOptions: dict[str, Any]
    """The options of the crawl; present with a prompt."""
    warning: str


class _DeleteCrawlByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["cancelled"]


class DeleteCrawlByIdResponse(_DeleteCrawlByIdResponseRequired, total=False):
    """Cancel a crawl; what it has scraped stays readable."""
    warning: str


class CrawlByIdQuery(TypedDict, total=False):
    """Read the progress and the documents of a crawl: what can be set."""
    skip: int
    """Documents to leave out at the start."""
    limit: int
    """Most documents in one answer."""


class CrawlDownloadQuery(TypedDict, total=False):
    """Download the documents of a crawl as one file: what can be set."""
    format: Literal["jsonl", "csv", "zip"]
    """jsonl: one document per line, as they are; csv: one row per page; zip: one Markdown file per page, named by its address."""


class GetCrawlErrorsResponseSkippedItem(TypedDict):
    url: str
    reason: str


class GetCrawlErrorsResponseSummary(TypedDict):
    """How every address that the crawl has met stands: once, in one of these."""
    completed: int
    failed: int
    cancelled: int
    living: int
    waiting: int
    skipped: dict[str, int]
    """By reason."""


class _GetCrawlErrorsResponseRequired(TypedDict):
    success: Literal[True]
    errors: list[PageError]
    """Pages that failed, as many as summary.failed says, and home pages of other sites (EXTERNAL_LINK), which are skipped."""
    robotsBlocked: list[str]
    """Pages that robots.txt forbids."""
    skipped: list[GetCrawlErrorsResponseSkippedItem]
    """Addresses that were not scraped; the first thousand."""
    summary: GetCrawlErrorsResponseSummary
    """How every address that the crawl has met stands: once, in one of these."""


class GetCrawlErrorsResponse(_GetCrawlErrorsResponseRequired, total=False):
    """Read which pages of a crawl failed or were skipped, and why."""
    warning: str


class _PostCrawlRetryResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the batch that scrapes them."""
    url: str
    """Where its status can be read."""
    count: int
    """Pages that are tried again."""


class PostCrawlRetryResponse(_PostCrawlRetryResponseRequired, total=False):
    """Scrape the pages of a crawl that failed once more, as a batch."""
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
    """List the crawls of the team that are under way."""
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
    """List the crawls of the team that are under way, under the older name."""
    warning: str


class CrawlParamsPreviewArguments(TypedDict, total=False):
    """Turn a prompt into options for a crawl: what can be set."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostCrawlParamsPreviewResponseRequired(TypedDict):
    success: Literal[True]
    data: CrawlPreview


class PostCrawlParamsPreviewResponse(_PostCrawlParamsPreviewResponseRequired, total=False):
    """Turn a prompt into options for a crawl."""
    warning: str


class ExtractArgumentsAgent1(TypedDict, total=False):
    model: str


class ExtractArguments(TypedDict, total=False):
    """Read values from several pages or a whole site, in the background: what can be set."""
    prompt: str
    """What is wanted, in words. Without a schema it needs a language model."""
    system_prompt: str
    """What the language model shall observe besides the prompt."""
    schema: Any
    """JSON schema of the values."""
    limit: int
    """Maximum number of pages that are read; the most relevant ones of a site are taken."""
    ignore_sitemap: bool
    """Find pages of a site by its links alone."""
    include_subdomains: bool
    """Also read pages of other subdomains of a site."""
    allow_external_links: bool
    """Also read pages of other sites to which a site links. Needs an address that ends in /*."""
    enable_web_search: bool
    """Also read pages that a search for the prompt finds. On by itself where no URL is given."""
    show_sources: bool
    """Add the pages that state each value, and every value on which pages disagree."""
    scrape_options: ScrapeOptions
    """How each page is scraped."""
    ignore_invalid_urls: bool
    """Skip invalid URLs instead of rejecting the call."""
    timeout: float
    """Time budget (ms). Pages that have not been read by then are left out and named."""
    agent: Union[ExtractArgumentsAgent1, None]
    """Has no effect here: POST /v2/agent looks for pages by itself."""
    url_trace: bool
    """Add what became of each page."""
    webhook: Union[str, Webhook]
    """Where events of the job are sent: an address, or an object with headers, metadata and events."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostExtractResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    """Id of the extract."""
    urlTrace: list[Any]
    """Empty here; the status has it, if it was asked for."""


class PostExtractResponse(_PostExtractResponseRequired, total=False):
    """Read values from several pages or a whole site, in the background."""
    invalidURLs: list[str]
    """URLs that were left out."""
    warning: str


class _DeleteExtractByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["cancelled"]


class DeleteExtractByIdResponse(_DeleteExtractByIdResponseRequired, total=False):
    """Cancel an extract."""
    warning: str


class FeedbackQuery(TypedDict, total=False):
    """List the feedback of the team, newest first: what can be set."""
    endpoint: Literal["search", "scrape", "parse", "map"]
    """Only feedback on jobs of this kind."""
    rating: Literal["good", "partial", "bad"]
    job_id: str
    """Only feedback on this job."""
    limit: int
    cursor: str
    """The cursor of the answer before."""


class _GetFeedbackResponseRequired(TypedDict):
    success: Literal[True]
    data: list[Feedback]
    cursor: Union[str, None]
    has_more: bool


class GetFeedbackResponse(_GetFeedbackResponseRequired, total=False):
    """List the feedback of the team, newest first."""
    warning: str


class _FeedbackArgumentsValuableSourcesItemRequired(TypedDict):
    url: str
    """A result that was useful."""


class FeedbackArgumentsValuableSourcesItem(_FeedbackArgumentsValuableSourcesItemRequired, total=False):
    reason: str


class _FeedbackArgumentsMissingContentItemRequired(TypedDict):
    topic: str
    """What was expected and not found."""


class FeedbackArgumentsMissingContentItem(_FeedbackArgumentsMissingContentItemRequired, total=False):
    description: str


class FeedbackArguments(TypedDict, total=False):
    """Say how useful the result of a job was: what can be set."""
    valuable_sources: list[FeedbackArgumentsValuableSourcesItem]
    valuable_result_positions: list[int]
    """The same by place in the list of results."""
    missing_content: list[FeedbackArgumentsMissingContentItem]
    query_suggestions: str
    """How the query should be changed."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""
    issues: list[str]
    """What was wrong, as short names: missing_markdown."""
    tags: list[str]
    note: str
    url: str
    """The page it is about."""
    page_numbers: list[int]
    """Pages of a document."""
    metadata: dict[str, Any]


class _PostFeedbackResponseRequired(TypedDict):
    success: Literal[True]
    feedbackId: str
    creditsRefunded: int
    """Credits that this call gave back: 1 for the first feedback on a search."""


class PostFeedbackResponse(_PostFeedbackResponseRequired, total=False):
    """Say how useful the result of a job was."""
    alreadySubmitted: bool
    """True: there was feedback on this job, and it stays."""
    dailyCapReached: bool
    """True: nothing more is given back today."""
    creditsRefundedToday: int
    dailyRefundCap: int
    """TEAM_DAILY_REFUNDS."""
    warning: str


class InteractQuery(TypedDict, total=False):
    """List the browser sessions of the team, newest first (also /v2/browser): what can be set."""
    status: Literal["active", "destroyed", "error"]
    """Only sessions in this state."""


class _GetInteractResponseRequired(TypedDict):
    success: Literal[True]
    sessions: list[Session]
    """Newest first; the last thousand."""


class GetInteractResponse(_GetInteractResponseRequired, total=False):
    """List the browser sessions of the team, newest first (also /v2/browser)."""
    warning: str


class InteractArguments(TypedDict, total=False):
    """Open a browser of your own, to be driven by code, by DevTools or by hand (also /v2/browser): what can be set."""
    ttl: int
    """Maximum lifetime of the session in seconds."""
    activity_ttl: int
    """Seconds without activity after which it ends."""
    stream_web_view: bool
    """Whether the session has a live view."""
    profile: Profile
    """Storage kept after the session ends."""
    record_session: bool
    """Sessions are not recorded."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostInteractResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """Page to watch the browser; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """Page to watch and control the browser."""
    expiresAt: str


class PostInteractResponse(_PostInteractResponseRequired, total=False):
    """Open a browser of your own, to be driven by code, by DevTools or by hand (also /v2/browser)."""
    warning: str


class _DeleteInteractByIdResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["active", "destroyed", "error"]
    sessionDurationMs: int
    creditsBilled: int


class DeleteInteractByIdResponse(_DeleteInteractByIdResponseRequired, total=False):
    """End a browser session; answers what it cost, however often it is asked (also /v2/browser)."""
    warning: str


class _GetInteractByIdResponseRequired(TypedDict):
    success: Literal[True]
    id: str
    status: Literal["active", "destroyed", "error"]
    cdpUrl: str
    """WebSocket of the DevTools protocol, for Playwright and Puppeteer."""
    liveViewUrl: str
    """Page to watch the browser; empty if the session is not streamed."""
    interactiveLiveViewUrl: str
    """Page to watch and control the browser."""
    streamWebView: bool
    createdAt: str
    lastActivity: str
    expiresAt: str


class GetInteractByIdResponse(_GetInteractByIdResponseRequired, total=False):
    """Read how a browser session stands (also /v2/browser)."""
    sessionDurationMs: int
    """Duration of the session."""
    creditsBilled: int
    """Its cost, after it has ended."""
    error: str
    """Why it ended, if it did not end normally."""
    warning: str


class InteractExecuteArguments(TypedDict, total=False):
    """Run code in a browser session; if the code fails, `error` says why (also /v2/browser): what can be set."""
    language: Literal["python", "node", "bash"]
    """Language of the code; `bash` has the command agent-browser."""
    timeout: int
    """Time limit of the code in seconds."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostInteractExecuteResponseRequired(TypedDict):
    success: Literal[True]
    stdout: Union[str, None]
    result: Union[str, None]
    """The value of the last expression; for a prompt, the page at the end."""
    stderr: Union[str, None]
    exitCode: Union[int, None]
    """0 means success."""
    killed: bool
    """The run was ended because it reached its timeout."""


class PostInteractExecuteResponse(_PostInteractExecuteResponseRequired, total=False):
    """Run code in a browser session; if the code fails, `error` says why (also /v2/browser)."""
    error: str
    """What went wrong."""
    truncated: bool
    """The output was truncated."""
    warning: str


class _GetInteractReplayResponseRequired(TypedDict):
    success: Literal[True]


class GetInteractReplayResponse(_GetInteractReplayResponseRequired, total=False):
    """Read the recording of a session; there is none here (also /v2/browser)."""
    warning: str


class _GetInteractProfilesResponseRequired(TypedDict):
    success: Literal[True]
    profiles: list[SavedProfile]


class GetInteractProfilesResponse(_GetInteractProfilesResponseRequired, total=False):
    """List the profiles of the team by name, the first thousand (also /v2/browser)."""
    warning: str


class _DeleteInteractProfilesByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteInteractProfilesByIdResponse(_DeleteInteractProfilesByIdResponseRequired, total=False):
    """Forget what a profile has saved; also where nothing was (also /v2/browser)."""
    warning: str


class _GetJobsTraceResponseRequired(TypedDict):
    success: Literal[True]
    data: JobTrace


class GetJobsTraceResponse(_GetJobsTraceResponseRequired, total=False):
    """Read what happened on the way of a job: plan, attempts, waits, sizes, warnings, deliveries."""
    warning: str


class MapArguments(TypedDict, total=False):
    """List the pages of a site: what can be set."""
    search: str
    """Sorts all found pages by relevance to this text, before limit cuts them. Only its first 50 words count."""
    sitemap: Literal["skip", "include", "only"]
    """skip: do not read sitemaps; only: read nothing else; include: read both, so it never lists less than skip."""
    include_subdomains: bool
    """Also list pages of other subdomains."""
    ignore_query_parameters: bool
    """Leave out URLs with a query."""
    ignore_cache: bool
    """Read sitemaps again; otherwise they are cached for seven days."""
    limit: int
    """Maximum number of pages in the response."""
    timeout: float
    """Time budget (ms). The call returns the pages found by then."""
    location: Location
    """Country and languages to emulate."""
    headers: dict[str, str]
    """Headers sent to the site with each page that is read for links."""
    include_paths: list[str]
    """Patterns: only pages whose path matches one of them are listed."""
    exclude_paths: list[str]
    """Patterns: pages whose path matches one of them are not listed."""
    allow_external_links: bool
    """List pages of other sites that the site links to."""
    filter_by_path: bool
    """A URL with a path lists pages below it only."""
    use_index: bool
    """Has no effect here: there is no index of other sites."""
    origin: str
    """Label of the caller, kept with the job."""
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
    """Number of URLs that were left out, by reason."""


class PostMapResponse(_PostMapResponseRequired, total=False):
    """List the pages of a site."""
    warning: str


class OperatorKeysQuery(TypedDict, total=False):
    """List keys by their first characters, oldest first, including revoked ones: what can be set."""
    limit: int
    """Entries per answer."""
    cursor: str
    """The cursor of the answer before."""
    team_id: str
    """Only keys of this team."""


class _GetOperatorKeysResponseRequired(TypedDict):
    success: Literal[True]
    data: list[OperatorKey]
    cursor: Union[str, None]
    has_more: bool


class GetOperatorKeysResponse(_GetOperatorKeysResponseRequired, total=False):
    """List keys by their first characters, oldest first, including revoked ones."""
    warning: str


class OperatorKeysArguments(TypedDict, total=False):
    """Make a key; it is shown in this answer and never again: what can be set."""
    operator: bool
    """The key may also call /v2/operator."""


class _PostOperatorKeysResponseRequired(TypedDict):
    success: Literal[True]
    data: OperatorKey
    key: str
    """The key itself. Only its hash is stored."""


class PostOperatorKeysResponse(_PostOperatorKeysResponseRequired, total=False):
    """Make a key; it is shown in this answer and never again."""
    warning: str


class _DeleteOperatorKeysByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteOperatorKeysByIdResponse(_DeleteOperatorKeysByIdResponseRequired, total=False):
    """Revoke a key; it stops working within a second."""
    warning: str


class GetOperatorOverviewResponseDataQueue(TypedDict):
    """Of all teams."""
    queued: dict[str, int]
    """Jobs by kind; kinds without any are left out."""
    running: dict[str, int]
    """Jobs by kind; kinds without any are left out."""
    held: dict[str, int]
    """Jobs by kind; kinds without any are left out."""


class GetOperatorOverviewResponseDataStorage(TypedDict):
    databaseBytes: Union[int, None]
    """Size of the database; null: not known."""
    blobBytes: Union[int, None]
    """Size of stored pages, results and files, to ten minutes; null: not known (yet), as with a bucket."""
    freeBytes: Union[int, None]
    """Left on the disk of DATA_DIR; null: not known."""


class GetOperatorOverviewResponseDataHealth(TypedDict):
    isReady: bool
    parts: dict[str, str]
    """`ok`, or the reason why a part does not work."""
    ages: dict[str, float]
    """Seconds since a part was last used, if not just now."""
    warnings: dict[str, str]
    """Problems that do not keep the service from working: `clock`, `search`."""


class GetOperatorOverviewResponseDataTeamsItem(TypedDict):
    id: str
    name: str
    running: int
    concurrency: int


class GetOperatorOverviewResponseData(TypedDict):
    version: str
    uptimeSeconds: int
    """Of the process that answers."""
    queue: GetOperatorOverviewResponseDataQueue
    """Of all teams."""
    slotsTaken: int
    """Slots of all teams that are taken now."""
    storage: GetOperatorOverviewResponseDataStorage
    health: GetOperatorOverviewResponseDataHealth
    teams: list[GetOperatorOverviewResponseDataTeamsItem]
    """The 20 teams with most running jobs."""


class _GetOperatorOverviewResponseRequired(TypedDict):
    success: Literal[True]
    data: GetOperatorOverviewResponseData


class GetOperatorOverviewResponse(_GetOperatorOverviewResponseRequired, total=False):
    """What runs and waits on the installation, and whether it is well."""
    warning: str


class OperatorTeamsQuery(TypedDict, total=False):
    """List the teams of the installation, oldest first: what can be set."""
    limit: int
    """Entries per answer."""
    cursor: str
    """The cursor of the answer before."""


class _GetOperatorTeamsResponseRequired(TypedDict):
    success: Literal[True]
    data: list[OperatorTeam]
    cursor: Union[str, None]
    has_more: bool


class GetOperatorTeamsResponse(_GetOperatorTeamsResponseRequired, total=False):
    """List the teams of the installation, oldest first."""
    warning: str


class OperatorTeamsArguments(TypedDict, total=False):
    """Make a team; it has no key yet: what can be set."""
    credits: int
    """The first credits. If not set: TEAM_CREDITS."""
    unlimited: bool
    """True: no limit, whatever TEAM_CREDITS says."""
    concurrency: Union[int, None]
    """Jobs of the team that may run at once; null: TEAM_CONCURRENCY."""
    zero_data_retention: bool
    """Whether calls may ask for zero data retention."""
    search_index: bool
    """Whether stored pages of the team are indexed, so that its searches find them. False also removes the pages that are indexed already."""


class _PostOperatorTeamsResponseRequired(TypedDict):
    success: Literal[True]
    data: OperatorTeam


class PostOperatorTeamsResponse(_PostOperatorTeamsResponseRequired, total=False):
    """Make a team; it has no key yet."""
    warning: str


class _DeleteOperatorTeamsByIdResponseRequired(TypedDict):
    success: Literal[True]


class DeleteOperatorTeamsByIdResponse(_DeleteOperatorTeamsByIdResponseRequired, total=False):
    """Delete a team: end its keys, jobs and browsers at once, and remove all it has within half an hour."""
    warning: str


class OperatorTeamsByIdArguments(TypedDict, total=False):
    """Change what a team has and may do: all that is named, or nothing: what can be set."""
    credits: int
    """Credits to add. A team without a limit has one from then on."""
    unlimited: bool
    """True: the team has no limit. False: it has one, and no credits but those that are granted."""
    concurrency: Union[int, None]
    """Jobs of the team that may run at once; null: TEAM_CONCURRENCY."""
    zero_data_retention: bool
    """Whether calls may ask for zero data retention."""
    search_index: bool
    """Whether stored pages of the team are indexed, so that its searches find them. False also removes the pages that are indexed already."""
    webhook_secret: Literal["new", "off"]
    """`new` makes the secret that webhooks are signed with; `off` ends signing."""


class _PostOperatorTeamsByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: OperatorTeam


class PostOperatorTeamsByIdResponse(_PostOperatorTeamsByIdResponseRequired, total=False):
    """Change what a team has and may do: all that is named, or nothing."""
    webhookSecret: str
    """Only after `webhookSecret: new`, and only in this answer: receivers check signatures by it."""
    warning: str


class ParseArguments(TypedDict, total=False):
    """Convert one file and return it in the requested formats: what can be set."""
    formats: list[Format]
    """What to return. An empty list returns metadata only."""
    only_main_content: bool
    """Leave out headers, navigation and footers."""
    main_content_mode: Literal["balanced", "container", "article"]
    """How much onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the whole element that contains it; article: only what is certainly its text."""
    include_tags: list[str]
    """CSS selectors: keep only what they match."""
    exclude_tags: list[str]
    """CSS selectors: remove what they match."""
    headers: dict[str, str]
    """No effect: nothing is fetched for a file."""
    timeout: int
    """Time budget of the whole call (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """How files are read. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    skip_tls_verification: bool
    """No effect: nothing is fetched for a file."""
    remove_base64_images: bool
    """Leave embedded images out of the Markdown."""
    block_ads: bool
    """No effect: nothing is fetched for a file."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """No effect: nothing is fetched for a file."""
    fast_mode: bool
    """No effect: nothing is fetched for a file."""
    only_clean_content: bool
    """A stricter pass over the Markdown, without a language model: furniture that is left in it goes, structures stay whole. Not with zero data retention."""
    redact_pii: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in what is made of it."""
    zero_data_retention: bool
    """Keep nothing of this call. Must be enabled for the team."""
    origin: str
    """Label of the caller, kept with the job."""
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
    """Convert one file and return it in the requested formats."""
    warning: str


class _GetParseByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: ParsedDocument


class GetParseByIdResponse(_GetParseByIdResponseRequired, total=False):
    """Read the result of an earlier parse again."""
    warning: str


class ScrapeArguments(TypedDict, total=False):
    """Fetch one URL and return it in the requested formats: what can be set."""
    formats: list[Format]
    """What to return. An empty list returns metadata only."""
    only_main_content: bool
    """Leave out headers, navigation and footers."""
    main_content_mode: Literal["balanced", "container", "article"]
    """How much onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the whole element that contains it; article: only what is certainly its text."""
    only_clean_content: bool
    """A stricter pass over the Markdown, without a language model: furniture that is left in it goes, structures stay whole. Not with zero data retention."""
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
    """Time budget of the whole call (ms)."""
    parsers: list[Union[Literal["pdf", "image"], Union[PdfParser, ImageParser]]]
    """How files are read. Default: PDF and images; an empty list returns a PDF unchanged, in base64."""
    actions: list[Action]
    """Steps on the page before it is read."""
    location: Location
    """Country and languages to emulate."""
    remove_base64_images: bool
    """Leave embedded images out of the Markdown."""
    block_ads: bool
    """Block advertisements and cookie banners."""
    proxy: Literal["basic", "enhanced", "stealth", "auto"]
    """How the site is reached."""
    store_in_cache: bool
    """Cache the page for later calls. Default: true."""
    lockdown: bool
    """Serve from the cache only; never contact the site."""
    profile: Profile
    """Browser storage kept between calls: cookies, local storage, databases. Disables the cache."""
    fast_mode: bool
    """Never use a browser."""
    redact_pii: Union[bool, RedactPII]
    """Redact personal data in the Markdown and in what is made of it."""
    zero_data_retention: bool
    """Keep nothing of this call. Must be enabled for the team."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostScrapeResponseRequired(TypedDict):
    success: Literal[True]
    data: Document


class PostScrapeResponse(_PostScrapeResponseRequired, total=False):
    """Fetch one URL and return it in the requested formats."""
    warning: str


class _GetScrapeByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: Document


class GetScrapeByIdResponse(_GetScrapeByIdResponseRequired, total=False):
    """Read the result of an earlier scrape again."""
    warning: str


class _DeleteScrapeInteractResponseRequired(TypedDict):
    success: Literal[True]
    status: Literal["active", "destroyed", "error"]
    sessionDurationMs: int
    creditsBilled: int


class DeleteScrapeInteractResponse(_DeleteScrapeInteractResponseRequired, total=False):
    """End the browser of a scrape; answers what it cost, however often it is asked."""
    warning: str


class ScrapeInteractArguments(TypedDict, total=False):
    """Run code or a prompt in a browser on the page of an earlier scrape: what can be set."""
    prompt: str
    """A task in plain language, for which a language model must be configured."""
    language: Literal["python", "node", "bash"]
    """Language of the code; `bash` has the command agent-browser."""
    timeout: float
    """Seconds. Code has 30 when it is not given, a prompt 240."""
    ttl: int
    """Maximum lifetime of the session in seconds."""
    activity_ttl: int
    """Seconds without activity after which it ends."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class SearchArguments(TypedDict, total=False):
    """Search the web and the own pages: what can be set."""
    limit: int
    """Maximum number of results of each source."""
    sources: list[Union[SearchSource, AbsentSearchSource]]
    """Which lists the response has. alexandria and exchange are not available here: they are left out."""
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
    """A place in words: `City,Region,Country`. Best together with country."""
    lang: str
    """ISO 639 code of a language."""
    timeout: float
    """Time budget of the whole call (ms)."""
    ignore_invalid_urls: bool
    """Leave out results whose URL other endpoints would reject."""
    enterprise: list[Literal["anon", "zdr", "default"]]
    """zdr, anon: keep nothing of this call. Must be enabled for the team."""
    scrape_options: ScrapeOptions
    """How each result is scraped; without formats, results are not scraped."""
    async_scraping: bool
    """Respond before the results are scraped; scrapeIds names the jobs."""
    highlights: bool
    """Describe pages of the own index by the passage that answers, not by how they begin."""
    safe: bool
    """Leave out explicit results, where the provider can."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class PostSearchResponseScrapeIds(TypedDict, total=False):
    """With asyncScraping: the scrape of each result, in order; GET /v2/scrape/{id} returns it."""
    web: list[str]
    news: list[str]


class _PostSearchResponseRequired(TypedDict):
    success: Literal[True]
    data: SearchData
    id: str
    """Id of this job."""
    creditsUsed: int
    """Of the search and of the scrapes that have ended."""


class PostSearchResponse(_PostSearchResponseRequired, total=False):
    """Search the web and the own pages."""
    scrapeIds: PostSearchResponseScrapeIds
    """With asyncScraping: the scrape of each result, in order; GET /v2/scrape/{id} returns it."""
    warning: str


class _SearchFeedbackArgumentsValuableSourcesItemRequired(TypedDict):
    url: str
    """A result that was useful."""


class SearchFeedbackArgumentsValuableSourcesItem(_SearchFeedbackArgumentsValuableSourcesItemRequired, total=False):
    reason: str


class _SearchFeedbackArgumentsMissingContentItemRequired(TypedDict):
    topic: str
    """What was expected and not found."""


class SearchFeedbackArgumentsMissingContentItem(_SearchFeedbackArgumentsMissingContentItemRequired, total=False):
    description: str


class SearchFeedbackArguments(TypedDict, total=False):
    """Say how useful the results of a search were; the first time gives a credit back: what can be set."""
    valuable_sources: list[SearchFeedbackArgumentsValuableSourcesItem]
    valuable_result_positions: list[int]
    """The same by place in the list of results."""
    missing_content: list[SearchFeedbackArgumentsMissingContentItem]
    query_suggestions: str
    """How the query should be changed."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostSearchFeedbackResponseRequired(TypedDict):
    success: Literal[True]
    feedbackId: str
    creditsRefunded: int
    """Credits that this call gave back: 1 for the first feedback on a search."""


class PostSearchFeedbackResponse(_PostSearchFeedbackResponseRequired, total=False):
    """Say how useful the results of a search were; the first time gives a credit back."""
    alreadySubmitted: bool
    """True: there was feedback on this job, and it stays."""
    dailyCapReached: bool
    """True: nothing more is given back today."""
    creditsRefundedToday: int
    dailyRefundCap: int
    """TEAM_DAILY_REFUNDS."""
    warning: str


class SearchDeveloperQuery(TypedDict, total=False):
    """Find issues, pull requests, repositories and own pages about code: what can be set."""
    query: str
    """A question about code, a library or an error."""
    k: int
    """Most results, 1 to 100."""
    passages: int
    """Passages of each result, 1 to 5."""
    types: Union[str, list[str]]
    """What to search: doc are own pages; the others are of GitHub. Default: all."""
    repos: Union[str, list[str]]
    """Repositories of GitHub, owner/name."""
    sources: Union[str, list[str]]
    """Hostnames of own pages."""
    language: str
    """Main language of the repository."""
    topic: Union[str, list[str]]
    """Topics that the repository has, all of them."""
    license: str
    """SPDX identifier of its licence."""
    min_stars: int
    max_stars: int
    archived: str
    fork: str
    skills: Literal["only"]
    """Not available here."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class GetSearchDeveloperResponseCoverage(TypedDict):
    """skipped: not asked for; unavailable: it could not be searched, see warning."""
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
    """Whether there are results of it."""
    types: GetSearchDeveloperResponseReposItemTypes


class GetSearchDeveloperResponseSourcesItem(TypedDict):
    source: str
    indexed: bool
    """Whether pages of it are among the own ones."""


class _GetSearchDeveloperResponseRequired(TypedDict):
    success: Literal[True]
    results: list[DeveloperSearchResult]
    coverage: GetSearchDeveloperResponseCoverage
    """skipped: not asked for; unavailable: it could not be searched, see warning."""
    reranked: bool


class GetSearchDeveloperResponse(_GetSearchDeveloperResponseRequired, total=False):
    """Find issues, pull requests, repositories and own pages about code."""
    repos: list[GetSearchDeveloperResponseReposItem]
    sources: list[GetSearchDeveloperResponseSourcesItem]
    warning: str


class SearchDeveloperArguments(TypedDict, total=False):
    """Find issues, pull requests, repositories and own pages about code: what can be set."""
    k: int
    """Most results, 1 to 100."""
    passages: int
    """Passages of each result, 1 to 5."""
    types: list[Literal["doc", "issue", "pull_request", "readme"]]
    """What to search: doc are own pages; the others are of GitHub. Default: all."""
    repos: list[str]
    """Repositories of GitHub, owner/name."""
    sources: list[str]
    """Hostnames of own pages."""
    language: str
    """Main language of the repository."""
    topic: list[str]
    """Topics that the repository has, all of them."""
    license: str
    """SPDX identifier of its licence."""
    min_stars: int
    max_stars: int
    archived: bool
    fork: bool
    skills: Literal["only"]
    """Not available here."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class PostSearchDeveloperResponseCoverage(TypedDict):
    """skipped: not asked for; unavailable: it could not be searched, see warning."""
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
    """Whether there are results of it."""
    types: PostSearchDeveloperResponseReposItemTypes


class PostSearchDeveloperResponseSourcesItem(TypedDict):
    source: str
    indexed: bool
    """Whether pages of it are among the own ones."""


class _PostSearchDeveloperResponseRequired(TypedDict):
    success: Literal[True]
    results: list[DeveloperSearchResult]
    coverage: PostSearchDeveloperResponseCoverage
    """skipped: not asked for; unavailable: it could not be searched, see warning."""
    reranked: bool


class PostSearchDeveloperResponse(_PostSearchDeveloperResponseRequired, total=False):
    """Find issues, pull requests, repositories and own pages about code."""
    repos: list[PostSearchDeveloperResponseReposItem]
    sources: list[PostSearchDeveloperResponseSourcesItem]
    warning: str


class SearchResearchGithubQuery(TypedDict, total=False):
    """Find issues and repositories of GitHub: what can be set."""
    query: str
    k: int
    origin: str
    """Label of the caller, kept with the job."""


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
    """The endpoint that finds more of it."""


class GetSearchResearchGithubResponse(_GetSearchResearchGithubResponseRequired, total=False):
    """Find issues and repositories of GitHub."""
    warning: str


_SearchResearchPapersQueryNamedOptional = TypedDict("_SearchResearchPapersQueryNamedOptional", {
    "from": "str",
}, total=False)


class SearchResearchPapersQuery(_SearchResearchPapersQueryNamedOptional, total=False):
    """Find papers in open catalogues: what can be set."""
    query: str
    """What the papers are about."""
    k: int
    """Most papers; each provider gives at most 100."""
    authors: Union[str, list[str]]
    """Parts of names of authors; a paper has one for each."""
    categories: Union[str, list[str]]
    """Categories of arXiv, such as cs.LG; a paper has all."""
    to: str
    """Last day of publication."""
    origin: str
    """Label of the caller, kept with the job."""


class _GetSearchResearchPapersResponseRequired(TypedDict):
    success: Literal[True]
    results: list[PaperResult]


class GetSearchResearchPapersResponse(_GetSearchResearchPapersResponseRequired, total=False):
    """Find papers in open catalogues."""
    warning: str


class SearchResearchPapersByIdQuery(TypedDict, total=False):
    """What open catalogues know of a paper, or its passages that answer a query: what can be set."""
    query: str
    """Scrapes the paper and returns the passages that answer this."""
    k: int
    """Most passages, 4 when not given; only with query."""
    origin: str
    """Label of the caller, kept with the job."""


class GetSearchResearchPapersByIdResponsePassagesItem(TypedDict):
    text: str
    score: float


class _GetSearchResearchPapersByIdResponseRequired(TypedDict):
    success: Literal[True]
    paper: Paper


class GetSearchResearchPapersByIdResponse(_GetSearchResearchPapersByIdResponseRequired, total=False):
    """What open catalogues know of a paper, or its passages that answer a query."""
    paperId: str
    """With query."""
    query: str
    passages: list[GetSearchResearchPapersByIdResponsePassagesItem]
    warning: str


class SearchResearchPapersSimilarQuery(TypedDict, total=False):
    """Papers that are related to others by citations: what can be set."""
    intent: str
    """What the related papers should be about; orders them."""
    mode: Literal["similar", "citers", "references"]
    """Papers that are similar, that cite it, or that it cites."""
    k: int
    rerank: str
    """Has no effect here."""
    anchor: Union[str, list[str]]
    """More papers to start from."""
    origin: str
    """Label of the caller, kept with the job."""


class _GetSearchResearchPapersSimilarResponseRequired(TypedDict):
    success: Literal[True]
    results: list[PaperResult]
    poolSize: int
    """Related papers that were found."""
    truncated: bool
    note: Union[str, None]


class GetSearchResearchPapersSimilarResponse(_GetSearchResearchPapersSimilarResponseRequired, total=False):
    """Papers that are related to others by citations."""
    warning: str


class SupportAskArguments(TypedDict, total=False):
    """Ask why a call did not bring what was expected; a remedy is tried before it is given: what can be set."""
    rationale: str
    """What the end user wants to reach, in one or two sentences."""
    job_id: str
    """The job that the question is about."""
    context: dict[str, Any]
    """Anything else that is known: the request, the error, what was tried."""
    allow_actions: bool
    """Lets trials repeat the actions of the job and try clicks. They have effects on the site each time: a form is submitted again. Without it, a job with such actions is not repeated."""


class SupportDocsSearchArguments(TypedDict, total=False):
    """Answer a question about this service from its documentation: what can be set."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class PostSupportDocsSearchResponseEvidenceItem(TypedDict):
    pathOrUrl: str
    """A file of the repository and the place in it: docs/search.md#the-query."""
    reason: str
    """What the section is, and what it has of the question."""


class PostSupportDocsSearchResponseUsage(TypedDict):
    """Tokens of the language model; zeros without one."""
    inputTokens: int
    outputTokens: int
    totalTokens: int


class _PostSupportDocsSearchResponseRequired(TypedDict):
    success: Literal[True]
    requestId: str
    answer: str
    """Sentences of the documentation that answer, each with its place; by a language model, if there is one."""
    evidence: list[PostSupportDocsSearchResponseEvidenceItem]
    """Sections that answer, the best first; empty if the documentation says nothing about it."""
    usage: PostSupportDocsSearchResponseUsage
    """Tokens of the language model; zeros without one."""
    durationMs: int


class PostSupportDocsSearchResponse(_PostSupportDocsSearchResponseRequired, total=False):
    """Answer a question about this service from its documentation."""
    warning: str


class TeamActivityQuery(TypedDict, total=False):
    """Calls of the team in the last 24 hours, newest first: what can be set."""
    endpoint: Literal["scrape", "crawl", "batch_scrape", "search", "extract", "llmstxt", "deep_research", "map", "agent", "browser", "interact", "parse", "research", "developer_search"]
    """Only calls of this kind."""
    state: Literal["queued", "running", "completed", "failed", "cancelled"]
    """Only calls in this state."""
    limit: str
    """Calls per page, 1 to 100; 50 when not given."""
    cursor: str
    """The cursor of the page before."""


class _GetTeamActivityResponseDataItemRequired(TypedDict):
    id: str
    endpoint: str
    api_version: str
    created_at: str
    target: Union[str, None]
    state: Literal["queued", "running", "completed", "failed", "cancelled"]


class GetTeamActivityResponseDataItem(_GetTeamActivityResponseDataItemRequired, total=False):
    code: str
    """The error code of a call that failed."""


class _GetTeamActivityResponseRequired(TypedDict):
    success: Literal[True]
    data: list[GetTeamActivityResponseDataItem]
    cursor: Union[str, None]
    has_more: bool


class GetTeamActivityResponse(_GetTeamActivityResponseRequired, total=False):
    """Calls of the team in the last 24 hours, newest first."""
    warning: str


class GetTeamCreditUsageResponseData(TypedDict):
    remainingCredits: int
    planCredits: int
    unlimited: bool
    """True: nothing is deducted, and the numbers are only large."""
    billingPeriodStart: Union[str, None]
    billingPeriodEnd: Union[str, None]


class _GetTeamCreditUsageResponseRequired(TypedDict):
    success: Literal[True]
    data: GetTeamCreditUsageResponseData


class GetTeamCreditUsageResponse(_GetTeamCreditUsageResponseRequired, total=False):
    """Credits the team has left."""
    warning: str


class TeamCreditUsageHistoricalQuery(TypedDict, total=False):
    """Credits used per period, oldest first: what can be set."""
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
    """Credits used per period, oldest first."""
    warning: str


class GetTeamMeResponseDataTeam(TypedDict):
    id: str
    name: str
    concurrency: int
    """Jobs of the team that may run at once."""
    zeroDataRetention: bool
    """Calls may ask for zero data retention."""
    searchIndex: bool
    """Stored pages of the team are indexed, so that its searches find them."""


class GetTeamMeResponseData(TypedDict):
    team: GetTeamMeResponseDataTeam
    keyHint: Union[str, None]
    """The first characters of the key; null: AUTH=off."""
    isOperator: bool
    """This call could also use /v2/operator."""


class _GetTeamMeResponseRequired(TypedDict):
    success: Literal[True]
    data: GetTeamMeResponseData


class GetTeamMeResponse(_GetTeamMeResponseRequired, total=False):
    """The team and the key of this call."""
    warning: str


class _GetTeamQueueStatusResponseRequired(TypedDict):
    success: Literal[True]
    jobsInQueue: int
    activeJobsInQueue: int
    waitingJobsInQueue: int
    maxConcurrency: int
    mostRecentSuccess: Union[str, None]


class GetTeamQueueStatusResponse(_GetTeamQueueStatusResponseRequired, total=False):
    """Jobs of the team that run and wait."""
    warning: str


class GetTeamTokenUsageResponseDataModelTokens(TypedDict):
    """What the calls of the team used of the language model. It is counted apart from credits."""
    today: int
    """Input and output of today (UTC)."""
    todayLimit: Union[int, None]
    """The most per day (MODEL_TOKENS_PER_TEAM_PER_DAY); null: no limit."""
    inputTokens: int
    """In this billing period, as the model counts."""
    outputTokens: int
    calls: int
    """Requests to the model in this billing period."""


class GetTeamTokenUsageResponseData(TypedDict):
    remainingTokens: int
    planTokens: int
    unlimited: bool
    """True: nothing is deducted, and the numbers are only large."""
    billingPeriodStart: Union[str, None]
    billingPeriodEnd: Union[str, None]
    modelTokens: GetTeamTokenUsageResponseDataModelTokens
    """What the calls of the team used of the language model. It is counted apart from credits."""


class _GetTeamTokenUsageResponseRequired(TypedDict):
    success: Literal[True]
    data: GetTeamTokenUsageResponseData


class GetTeamTokenUsageResponse(_GetTeamTokenUsageResponseRequired, total=False):
    """The same in tokens; a credit is fifteen tokens."""
    warning: str


class TeamTokenUsageHistoricalQuery(TypedDict, total=False):
    """Tokens used per period, oldest first: what can be set."""
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
    """Tokens of the language model per period, input and output, of all keys."""


class GetTeamTokenUsageHistoricalResponse(_GetTeamTokenUsageHistoricalResponseRequired, total=False):
    """Tokens used per period, oldest first."""
    warning: str


class TeamTrackedPagesQuery(TypedDict, total=False):
    """List the pages that the team tracks by changeTracking, those seen last first: what can be set."""
    search: str
    """Only pages whose URL contains this."""
    before: str
    """The cursor of the list before."""
    limit: int
    """Most pages in one answer."""


class _GetTeamTrackedPagesResponseRequired(TypedDict):
    success: Literal[True]
    data: list[TrackedPage]
    cursor: Union[str, None]
    has_more: bool


class GetTeamTrackedPagesResponse(_GetTeamTrackedPagesResponseRequired, total=False):
    """List the pages that the team tracks by changeTracking, those seen last first."""
    warning: str


class _GetTeamTrackedPagesByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: TrackedHistory


class GetTeamTrackedPagesByIdResponse(_GetTeamTrackedPagesByIdResponseRequired, total=False):
    """Read a tracked page and its versions, the newest first."""
    warning: str


_TeamTrackedPagesDiffQueryNamedOptional = TypedDict("_TeamTrackedPagesDiffQueryNamedOptional", {
    "from": "str",
}, total=False)


class TeamTrackedPagesDiffQuery(_TeamTrackedPagesDiffQueryNamedOptional, total=False):
    """Read what is different between two versions of a tracked page: what can be set."""
    to: str
    """Id of the newer version. Default: the last one."""


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
    """Number of the line, from 1."""
    ln1: int
    """Number of the line, from 1."""
    ln2: int
    """Number of the line, from 1."""


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
    """The same in parts."""
    files: list[GetTeamTrackedPagesDiffResponseDataDiffJsonFilesItem]


_GetTeamTrackedPagesDiffResponseDataNamed = TypedDict("_GetTeamTrackedPagesDiffResponseDataNamed", {
    "from": "PageVersion",
})


class _GetTeamTrackedPagesDiffResponseDataRequired(TypedDict):
    to: PageVersion
    isSame: bool
    """They differ in white space at most."""


class GetTeamTrackedPagesDiffResponseData(_GetTeamTrackedPagesDiffResponseDataNamed, _GetTeamTrackedPagesDiffResponseDataRequired, total=False):
    diff: str
    """Unified diff of the Markdown; absent where they are the same."""
    diffJson: GetTeamTrackedPagesDiffResponseDataDiffJson
    """The same in parts."""


class _GetTeamTrackedPagesDiffResponseRequired(TypedDict):
    success: Literal[True]
    data: GetTeamTrackedPagesDiffResponseData


class GetTeamTrackedPagesDiffResponse(_GetTeamTrackedPagesDiffResponseRequired, total=False):
    """Read what is different between two versions of a tracked page."""
    warning: str


class TeamUsageQuery(TypedDict, total=False):
    """Credits and calls of the team on each of the last days, oldest first: what can be set."""
    days: int
    """How many days, today included."""


class GetTeamUsageResponseDataItem(TypedDict):
    date: str
    """The day, in UTC."""
    credits: int
    """Credits that were charged, less those that were given back."""
    creditsByKind: dict[str, int]
    """The same by kind of job; what was given back has a kind of its own."""
    calls: int
    callsByState: dict[str, int]
    """Calls that came on this day, by the state that they are in."""


class _GetTeamUsageResponseRequired(TypedDict):
    success: Literal[True]
    data: list[GetTeamUsageResponseDataItem]


class GetTeamUsageResponse(_GetTeamUsageResponseRequired, total=False):
    """Credits and calls of the team on each of the last days, oldest first."""
    warning: str


class WebhooksDeliveriesQuery(TypedDict, total=False):
    """List what was sent to webhooks, newest first: what can be set."""
    job_id: str
    """Only events of this job."""
    state: Literal["waiting", "delivered", "failed"]
    limit: int
    cursor: str
    """The cursor of the answer before."""


class _GetWebhooksDeliveriesResponseRequired(TypedDict):
    success: Literal[True]
    data: list[Delivery]
    cursor: Union[str, None]
    has_more: bool


class GetWebhooksDeliveriesResponse(_GetWebhooksDeliveriesResponseRequired, total=False):
    """List what was sent to webhooks, newest first."""
    warning: str


class _GetWebhooksDeliveriesByIdResponseRequired(TypedDict):
    success: Literal[True]
    data: DeliveryDetails


class GetWebhooksDeliveriesByIdResponse(_GetWebhooksDeliveriesByIdResponseRequired, total=False):
    """Read a delivery with its address and what is sent there."""
    warning: str


class _PostWebhooksDeliveriesReplayResponseRequired(TypedDict):
    success: Literal[True]
    data: Delivery


class PostWebhooksDeliveriesReplayResponse(_PostWebhooksDeliveriesReplayResponseRequired, total=False):
    """Send an event once more, under the id it had."""
    warning: str


class WebhooksTestArguments(TypedDict, total=False):
    """Send an event of no job, to see whether a receiver works: what can be set."""
    origin: str
    """Label of the caller, kept with the job."""
    integration: Union[str, None]
    """Label of the integration."""


class _PostWebhooksTestResponseRequired(TypedDict):
    success: Literal[True]
    webhookId: str
    """Look for it among the deliveries."""


class PostWebhooksTestResponse(_PostWebhooksTestResponseRequired, total=False):
    """Send an event of no job, to see whether a receiver works."""
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
