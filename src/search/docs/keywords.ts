/**
 * Words that users say and a section does not, counted like its title and never quoted. Entries of the reference are here if
 * the question suites find less without the entry; entries of guides were measured together.
 */
export const keywords: Record<string, string> = {
  'DELETE /v2/crawl/{id}': 'cancel stop abort a running crawl',
  'POST /v2/map': 'list find discover all urls links pages of a site website sitemap without scraping them',
  'POST /v2/parse':
    'upload local file document pdf word docx excel xlsx powerpoint image convert to markdown',
  'POST /v2/browser/{id}/execute': 'run execute code script python node bash in a browser session',
  'GET /v2/jobs/{id}/trace': 'debug why a job failed what happened log steps engine attempts diagnose slow',
  'ScrapeOptions.maxAge':
    'cache fresh stale old copy force refetch bypass disable skip the cache newest version',
  'ScrapeOptions.headers': 'custom http request header authorization user agent cookie send',
  'ScrapeOptions.actions':
    'click type scroll wait fill form button interact before scraping steps automation',
  'ScrapeOptions.location':
    'country geo region language locale pretend to be from in another country germany france',
  'ScrapeOptions.profile':
    'stay logged in login session cookies between calls reuse persistent state remember',
  'ScrapeRequest.zeroDataRetention': 'zdr do not store keep log anything nothing stored privacy',
  'PdfParser.maxPages': 'limit number of pdf pages first pages only',
  'format changeTracking': 'monitor detect changes diff compare since last time what changed',
  'format audio': 'podcast mp3 sound recording download',
  'CrawlRequest.maxDiscoveryDepth': 'depth how deep levels of links a crawl goes follows',
  'CrawlRequest.excludePaths': 'skip ignore exclude certain paths section folder regex pattern from a crawl',
  'CrawlRequest.delay': 'slow down throttle polite crawl pause seconds between requests pages rate',
  'CrawlRequest.allowSubdomains': 'include subdomains crawl blog. docs.',
  'BatchScrapeRequest.appendToId': 'add append more urls pages to an existing running batch',
  'CrawlRequest.deduplicateSimilarURLs': 'avoid same duplicate page twice www http https trailing slash',
  'SearchRequest.includeDomains': 'only search one site website domain restrict results',
  'SearchRequest.scrapeOptions': 'full content markdown of search results scrape each result',
  'SessionRequest.ttl':
    'closes ends too early how long does a browser session live lifetime maximum duration',
  AUTH: 'disable turn off authentication no api key without key login',
  RETENTION_HOURS: 'how long are results jobs kept stored expire',
  PROXY_ENHANCED_URL: 'residential proxy for blocked sites stealth anti bot',
  LOG_LEVEL: 'debug verbose logging quiet logs',
  'README.md':
    'what is winnow quick start getting started first call curl firecrawl sdk client compatible install',
  TESSERACT_PATH: 'ocr scanned documents images text recognition languages',
  SESSION_MEMORY_MB: 'memory ram of a browser session',
  'SECURITY.md#what-is-stored': 'which data is stored saved logged kept where',
  'SECURITY.md#tasks-of-a-language-model': 'prompt injection protection malicious page instructions',
  'SECURITY.md#what-the-network-guard-promises': 'ssrf dns rebinding protection',
  'SECURITY.md#keys-and-authoff': 'are api keys hashed without authentication safe',
  'SECURITY.md#reporting': 'report a vulnerability security issue contact',
  'docs/self-hosting.md#one-process':
    'install run start locally requirements ubuntu debian data folder api key first start',
  'docs/self-hosting.md#systemd': 'run as a service daemon at boot linux unit',
  'docs/self-hosting.md#container': 'docker image podman run in a container',
  'docs/self-hosting.md#several-processes':
    'scale horizontally multiple servers workers cluster kubernetes high availability docker compose postgres s3',
  'docs/self-hosting.md#behind-a-proxy': 'nginx caddy traefik reverse proxy https tls load balancer timeout',
  'docs/self-hosting.md#keys-teams-credits':
    'create revoke list delete api key new team user grant add credits price cost of a scrape pricing how much',
  'docs/self-hosting.md#the-network-guard': 'localhost private internal intranet address forbidden ssrf dns',
  'docs/self-hosting.md#crawls-and-webhooks':
    'verify webhook signature hmac robots.txt repeated content user agent bot name',
  'docs/self-hosting.md#the-browser':
    'chromium chrome headless without browser memory ads lists smart wait detection fingerprint user agent',
  'docs/self-hosting.md#sessions': 'sandbox bubblewrap bwrap namespaces container browser sessions memory',
  'docs/self-hosting.md#proxies': 'socks5 http proxy user password country residential configure',
  'docs/self-hosting.md#audio': 'ffmpeg mp3 convert recording',
  'docs/self-hosting.md#files': 'screenshot link expired how long download url valid',
  'docs/self-hosting.md#limits-and-sizes': 'maximum limits sizes how large how many how long',
  'docs/self-hosting.md#health-metrics-logs':
    'monitoring prometheus grafana liveness readiness probe kubernetes health check doctor logs request id',
  'docs/self-hosting.md#stopping': 'stop shut down shutdown restart service gracefully signal sigterm',
  'docs/self-hosting.md#what-survives-kill--9':
    'crash power loss restart lost data jobs continue after crash',
  'docs/self-hosting.md#backup': 'back up restore dump copy data database',
  'docs/self-hosting.md#upgrade': 'update new version migrate downgrade rollback',
  'docs/models.md#set-one-up':
    'configure llm language model openai anthropic claude google gemini ollama vllm lm studio llama.cpp local model gpt',
  'docs/models.md#what-is-sent': 'privacy data sent to openai llm provider',
  'docs/models.md#budgets': 'limit llm cost tokens budget per team day timeout',
  'docs/models.md#a-script-instead-of-a-model': 'mock fake model for tests',
  'docs/reading.md#values-by-a-schema': 'extract structured data fields json schema from a page evidence',
  'docs/removed.md#formats': 'chunking split pieces vector embeddings rag tokens overlap size',
  'docs/reading.md#redaction': 'pii personal data gdpr anonymize emails phone credit card iban secrets mask',
  'docs/reading.md#summary': 'summarize summarise tldr short version of an article',
  'docs/reading.md#highlights': 'relevant passages quotes',
  'docs/reading.md#question': 'ask question about page answer',
  'docs/search.md#search-your-documentation': 'search own crawled pages index private site search engine',
  'docs/search.md#the-query': 'search operators exact phrase quotes minus filetype site query syntax',
  'docs/search.md#providers': 'search engines google bing brave duckduckgo searxng api key which',
  'docs/search.md#how-results-are-ordered': 'ranking relevance order of search results',
  'docs/search.md#price': 'cost price credits of a search',
}
