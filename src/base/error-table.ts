/**
 * Every error a caller can meet: its status and what it says. A code is a key of this table, so a misspelt
 * code does not compile. 502 is reserved for "nothing was executed", because clients repeat it.
 */
export const errorTable = {
  BAD_REQUEST: { status: 400, message: 'The request does not fit the schema. See details.' },
  BAD_REQUEST_INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  MALFORMED_REQUEST: { status: 400, message: 'What was sent is not a valid HTTP/1.1 request.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request was not sent completely in time. Send it again.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers of the request are larger than 16 KB together.' },
  BAD_URL: { status: 400, message: 'The URL is not a valid http or https address.' },
  INVALID_JOB_ID: { status: 400, message: 'The job id must be a valid UUID.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as JSON with the header "content-type: application/json".',
  },
  REQUEST_TOO_LARGE: { status: 413, message: 'The body is larger than this endpoint accepts.' },
  NO_VALID_URLS: { status: 400, message: 'None of the given URLs is a valid http or https address.' },
  OPTION_NOT_AVAILABLE: { status: 400, message: 'This option is not available on this installation.' },
  SCRAPE_ACTIONS_NOT_SUPPORTED: {
    status: 400,
    message:
      'Actions need a page in a browser: fastMode forbids one, and a file is none. Remove them, or leave out fastMode.',
  },
  UNSUPPORTED_FILE_TYPE: {
    status: 400,
    message: 'This type of file is not supported. Send a PDF, office, HTML, text or image file.',
  },
  PARSE_UNSUPPORTED_OPTIONS: {
    status: 400,
    message: 'An option makes no sense for a file. Leave it out; it is named in option.',
  },
  UPLOAD_TOO_LARGE: { status: 413, message: 'The file is larger than the 50 MB that one call accepts.' },
  DOCUMENT_ENCRYPTED: {
    status: 422,
    message: 'The file is encrypted or protected by a password. Remove the password and send it again.',
  },
  DOCUMENT_DAMAGED: {
    status: 422,
    message: 'The file is damaged, or not what its name says. Open it once in the program that wrote it.',
  },
  DOCUMENT_EMPTY: { status: 422, message: 'The file is empty.' },
  DOCUMENT_LIMIT_EXCEEDED: {
    status: 422,
    message: 'The file exceeds what one conversion may use of size, memory or time. Send it in parts.',
  },
  SCRAPE_PDF_OCR_REQUIRED: {
    status: 422,
    message: 'The PDF has no text of its own, and mode "fast" recognises none. Use mode "auto" or "ocr".',
  },
  OCR_NOT_CONFIGURED: {
    status: 503,
    message:
      'The file holds pictures of text, and no program to recognise it was found. Install tesseract, or set TESSERACT_PATH.',
  },
  UNAUTHORIZED: {
    status: 401,
    message:
      'Unauthorized. Send the header "Authorization: Bearer <key>"; npm run key -- list shows the keys.',
  },
  CREDITS_EXHAUSTED: {
    status: 402,
    message:
      'Not enough credits for this call. Ask for less (a lower limit), or have credits granted to the team.',
  },
  FORBIDDEN: { status: 403, message: 'This belongs to another team.' },
  ORIGIN_FORBIDDEN: {
    status: 403,
    message: 'With AUTH=off this service answers only calls made from its own machine and address.',
  },
  ZERO_RETENTION_NOT_ENABLED: {
    status: 403,
    message:
      'Zero data retention is not enabled for this team. The operator enables it with the key command.',
  },
  TARGET_FORBIDDEN: {
    status: 403,
    message:
      'The address is private, local or reserved, so it is not contacted. The operator can allow it by ALLOW_PRIVATE_NETWORK.',
  },
  ROUTE_NOT_FOUND: { status: 404, message: 'There is no such route. The reference is at /docs.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This route does not answer to that method. The header Allow names those it answers to.',
  },
  FEATURE_NOT_AVAILABLE: {
    status: 501,
    message: 'This part of the API is not available on this installation. See hint for what comes closest.',
  },
  JOB_NOT_FOUND: {
    status: 404,
    message: 'Job not found. Ids are kept for a limited time after the call (RETENTION_HOURS).',
  },
  SCRAPE_NO_CACHED_DATA: {
    status: 404,
    message: 'No cached copy of this URL is old enough. Leave out minAge to fetch the page.',
  },
  SCRAPE_LOCKDOWN_CACHE_MISS: {
    status: 404,
    message:
      'The URL is not in the cache, and lockdown forbids fetching it. Scrape it once without lockdown.',
  },
  SCRAPE_TIMEOUT: {
    status: 408,
    message: 'The scrape did not finish in time. Raise timeout, or ask for less.',
  },
  CONCURRENCY_QUEUE_TIMEOUT: {
    status: 408,
    message: 'All slots of the team stayed busy. Raise timeout, or make fewer calls at once.',
  },
  CRAWL_DENIAL: {
    status: 403,
    message: 'The robots.txt of the site forbids this page. ignoreRobotsTxt: true crawls it all the same.',
  },
  CRAWL_OUT_OF_SCOPE: {
    status: 500,
    message: 'The page redirects to one that does not belong to this crawl.',
  },
  CRAWL_START_LEFT_OUT: {
    status: 500,
    message:
      'The start of the crawl was read for its links alone: includePaths or excludePaths leave it out.',
  },
  SCRAPE_RACED_REDIRECT_ERROR: {
    status: 500,
    message: 'The page turned out to be one that the crawl has already; it is returned once.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    message: 'There is no such delivery. They are kept as long as their jobs.',
  },
  MAP_TIMEOUT: {
    status: 408,
    message: 'The time was up before any page of the site was found. Allow more by timeout, or none at all.',
  },
  JOB_ALREADY_ENDED: { status: 409, message: 'The job has already ended.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message: 'This idempotency key was used before. The job it started is named in id.',
  },
  PROFILE_IN_USE: {
    status: 409,
    message: 'The profile is being saved by another session. Wait for its end, or use saveChanges: false.',
  },
  PROFILE_TOO_LARGE: {
    status: 413,
    message: 'The storage of the browser is larger than the 64 MB that a profile may hold. It was not saved.',
  },
  PROFILE_UNREADABLE: {
    status: 500,
    message:
      'The saved profile cannot be read: its key (PROFILE_KEY) has changed, or it is damaged. Bring the key back, or delete the profile.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many calls in this minute. Wait as long as Retry-After says.' },
  SCRAPE_ALL_ENGINES_FAILED: {
    status: 500,
    message: 'No way of fetching this page brought it back. See details for what each one met.',
  },
  SCRAPE_DNS_RESOLUTION_ERROR: {
    status: 500,
    message: 'The host name does not resolve. Check the spelling of the URL.',
  },
  SCRAPE_SSL_ERROR: {
    status: 500,
    message: 'The TLS connection was refused. skipTlsVerification: true accepts an invalid certificate.',
  },
  SCRAPE_SITE_ERROR: { status: 500, message: 'The site broke the connection before the page was complete.' },
  SCRAPE_TOO_MANY_REDIRECTS: { status: 500, message: 'The URL redirects too often or in a circle.' },
  SCRAPE_PAGE_TOO_LARGE: { status: 500, message: 'The page is larger than this service reads.' },
  SCRAPE_UNSUPPORTED_FILE_ERROR: {
    status: 500,
    message: 'The URL holds a kind of file that this installation does not turn into text.',
  },
  SCRAPE_JOB_CANCELLED: { status: 500, message: 'The job was cancelled.' },
  JOB_INTERRUPTED: {
    status: 500,
    message: 'The process that ran this call ended before it did. Nothing was charged; call again.',
  },
  JOB_ATTEMPTS_EXHAUSTED: {
    status: 500,
    message: 'The job was started several times and never ended. Nothing was charged.',
  },
  JOB_DEADLINE_PASSED: { status: 500, message: 'The job waited past its deadline. Nothing was charged.' },
  INTERNAL: {
    status: 500,
    message: 'Something went wrong on this side. The log line with this request id holds the cause.',
  },
  SCRAPE_ACTION_ERROR: {
    status: 500,
    message: 'An action failed. Its place in the list and the reason are named in details.',
  },
  BROWSER_NOT_CONFIGURED: {
    status: 503,
    message:
      'This call needs a browser, and none was found. Set CHROMIUM_PATH, or start once as root on Debian or Ubuntu.',
  },
  SANDBOX_NOT_CONFIGURED: {
    status: 503,
    message:
      'Browser sessions and code run in a sandbox, and none works here. Install bubblewrap; npm run doctor says what it meets.',
  },
  PYTHON_NOT_CONFIGURED: {
    status: 503,
    message:
      'Code in Python needs Playwright for Python, which was not found. Start once with python3-venv and a package index in reach, or set PYTHON_PATH.',
  },
  CODE_NOT_STARTED: {
    status: 502,
    message: 'The sandbox for the code did not start, so nothing was run. Call again.',
  },
  BROWSER_FAILED: {
    status: 500,
    message:
      'The browser broke while it worked on this page, twice. Call again; if it stays, the page is to blame.',
  },
  MODEL_NOT_CONFIGURED: {
    status: 503,
    message: 'This needs a language model, and none is configured. Set MODEL_URL, MODEL_KEY and MODEL_NAME.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    message: 'Browser session not found. Ids are kept for a limited time after the end (RETENTION_HOURS).',
  },
  SESSION_DESTROYED: {
    status: 410,
    message: 'The browser session was destroyed. Start a new one; for interact, scrape the page again.',
  },
  SESSION_LIMIT_REACHED: {
    status: 429,
    message:
      'The team has as many browser sessions open as it may have (TEAM_BROWSERS). End one, or wait until one ends.',
  },
  SESSION_FAILED: {
    status: 502,
    message: 'The browser of the session could not be started or reached, and nothing was run. Call again.',
  },
  REPLAY_UNAVAILABLE: {
    status: 409,
    message:
      'The page of the scrape cannot be opened as it was. Run the scrape again, then interact with that.',
  },
  REPLAY_NOT_FOUND: { status: 404, message: 'Replay not found: sessions are not recorded here.' },
  MODEL_FAILED: {
    status: 502,
    message: 'The language model did not answer as it should. See reason and hint.',
  },
  INTERACT_TIMEOUT: {
    status: 408,
    message: 'The task was not done in time. Raise timeout, or ask for less at once.',
  },
  INTERACT_FAILED: {
    status: 500,
    message: 'The task broke off after some steps had been done; stdout names them. See reason and hint.',
  },
  FILE_NOT_FOUND: { status: 404, message: 'There is no such file, or its address has expired.' },
  TOO_MANY_SOCKETS: {
    status: 503,
    message: 'Too many connections are open. Close some that are no longer needed, then try again.',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    message: 'The store of this service does not answer; the part is named in part. Call again in a moment.',
  },
  STOPPING: { status: 503, message: 'The service is stopping. Call again in a few seconds.' },
} as const satisfies Record<string, { status: number; message: string }>
