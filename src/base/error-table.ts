/**
 * Every error that a caller can get: its status and its message. A code is a key of this table, so a misspelt
 * code does not compile. 502 is reserved for "nothing was executed", because clients repeat it.
 */
export const errorTable = {
  BAD_REQUEST: { status: 400, message: 'The request does not match the schema. See details.' },
  BAD_REQUEST_INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  MALFORMED_REQUEST: { status: 400, message: 'The data received is not a valid HTTP/1.1 request.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive completely in time. Send it again.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers of the request exceed 16 KB in total.' },
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
      'Actions need a page in a browser. fastMode does not use a browser, and a file is not a page. Remove the actions, or fastMode.',
  },
  UNSUPPORTED_FILE_TYPE: {
    status: 400,
    message: 'This file type is not supported. Send a PDF, office, HTML, text or image file.',
  },
  PARSE_UNSUPPORTED_OPTIONS: {
    status: 400,
    message: 'An option does not apply to files. Remove the option that the field option names.',
  },
  UPLOAD_TOO_LARGE: { status: 413, message: 'The file is larger than the 50 MB that one call accepts.' },
  DOCUMENT_ENCRYPTED: {
    status: 422,
    message: 'The file is encrypted or password-protected. Remove the password and send it again.',
  },
  DOCUMENT_DAMAGED: {
    status: 422,
    message:
      'The file is damaged, or its name has the wrong extension. Check it in the program that created it.',
  },
  DOCUMENT_EMPTY: { status: 422, message: 'The file is empty.' },
  DOCUMENT_LIMIT_EXCEEDED: {
    status: 422,
    message: 'The file exceeds the size, memory or time limit of one conversion. Split it into parts.',
  },
  SCRAPE_PDF_OCR_REQUIRED: {
    status: 422,
    message: 'The PDF has no text layer, and mode "fast" does not use OCR. Use mode "auto" or "ocr".',
  },
  OCR_NOT_CONFIGURED: {
    status: 503,
    message:
      'The file contains images of text, and no OCR program was found. Install tesseract, or set TESSERACT_PATH.',
  },
  UNAUTHORIZED: {
    status: 401,
    message:
      'Unauthorized. Send the header "Authorization: Bearer <key>"; npm run key -- create --team NAME makes a key.',
  },
  CREDITS_EXHAUSTED: {
    status: 402,
    message:
      'Not enough credits for this call. Request less (a lower limit), or ask the operator to grant credits to the team.',
  },
  FORBIDDEN: { status: 403, message: 'This belongs to another team.' },
  ORIGIN_FORBIDDEN: {
    status: 403,
    message: 'With AUTH=off this service only accepts calls from its own machine and address.',
  },
  OPERATOR_KEY_REQUIRED: {
    status: 403,
    message:
      'This needs the key of an operator. The first key is one (file api-key in DATA_DIR, or API_KEY); npm run key -- create --team NAME --operator makes others.',
  },
  LOCAL_CALL_REQUIRED: {
    status: 403,
    message: 'This is answered only to calls from the machine that the service runs on, without a proxy.',
  },
  CONSOLE_CODE_INVALID: {
    status: 403,
    message:
      'The code is wrong, was used before, or has expired. Each start of the service prints a new link, which works once within 10 minutes.',
  },
  ZERO_RETENTION_NOT_ENABLED: {
    status: 403,
    message:
      'Zero data retention is not enabled for this team. The operator enables it with the key command.',
  },
  TARGET_FORBIDDEN: {
    status: 403,
    message:
      'The address is private, local or reserved, so the service does not contact it. The operator can allow it with ALLOW_PRIVATE_NETWORK.',
  },
  ROUTE_NOT_FOUND: { status: 404, message: 'Route not found. The reference is at /docs/reference.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This route does not support that method. The header Allow lists the supported ones.',
  },
  FEATURE_NOT_AVAILABLE: {
    status: 501,
    message:
      'This part of the API is not available on this installation. See hint for the closest alternative.',
  },
  JOB_NOT_FOUND: {
    status: 404,
    message: 'Job not found. Jobs are kept for a limited time after the call (RETENTION_HOURS).',
  },
  SCRAPE_NO_CACHED_DATA: {
    status: 404,
    message: 'No cached copy of this URL is old enough. Remove minAge to fetch the page.',
  },
  SCRAPE_LOCKDOWN_CACHE_MISS: {
    status: 404,
    message:
      'The URL is not in the cache, and lockdown forbids fetching it. Scrape it once without lockdown.',
  },
  SCRAPE_TIMEOUT: {
    status: 408,
    message: 'The scrape did not finish in time. Raise timeout, or request less.',
  },
  CONCURRENCY_QUEUE_TIMEOUT: {
    status: 408,
    message: 'No slot of the team became free in time. Raise timeout, or make fewer calls at once.',
  },
  CRAWL_DENIAL: {
    status: 403,
    message: 'The robots.txt of the site forbids this page. Set ignoreRobotsTxt: true to crawl it anyway.',
  },
  CRAWL_OUT_OF_SCOPE: {
    status: 500,
    message: 'The page redirects to a page outside the scope of this crawl.',
  },
  CRAWL_START_LEFT_OUT: {
    status: 500,
    message:
      'The start page of the crawl was only read for its links: includePaths or excludePaths exclude it.',
  },
  SCRAPE_RACED_REDIRECT_ERROR: {
    status: 500,
    message: 'The page redirects to a page that the crawl already has. The crawl returns it once.',
  },
  PAPER_NOT_FOUND: {
    status: 404,
    message: 'No catalogue of papers knows this id. Check it, or search for the title.',
  },
  PAPER_UNREADABLE: {
    status: 500,
    message: 'The text of the paper could not be read. Without query, its abstract is returned.',
  },
  FEEDBACK_WINDOW_EXPIRED: {
    status: 409,
    message: 'Feedback comes too late for this job. The operator sets the time with FEEDBACK_MINUTES.',
  },
  FEEDBACK_ON_FAILED_JOB: {
    status: 409,
    message: 'The search failed, so it has no results to give feedback on. Nothing was charged for it.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    message: 'Delivery not found. Deliveries are kept as long as their jobs.',
  },
  TRACKED_PAGE_NOT_FOUND: {
    status: 404,
    message: 'No such tracked page. /v2/team/tracked-pages lists those of the team.',
  },
  VERSION_NOT_FOUND: {
    status: 404,
    message: 'The page has no such version, or not two of them. The last ten are kept; the page lists them.',
  },
  MAP_TIMEOUT: {
    status: 408,
    message: 'The map found no page of the site in time. Raise timeout, or remove it.',
  },
  SEARCH_ENGINE_FAILED: {
    status: 503,
    message:
      'No source of the search could answer. See details for the reason of each; the operator chooses providers with SEARCH_PROVIDERS.',
  },
  SEARCH_NOTHING_TO_SEARCH: {
    status: 503,
    message: 'No page was found to read. Give urls, or a prompt that a search can find pages for.',
  },
  CONSOLE_KEY_NOT_FOUND: {
    status: 404,
    message: 'There is no file api-key in DATA_DIR with a key that works. Enter a key by hand.',
  },
  TEAM_NOT_FOUND: { status: 404, message: 'No team has this id. GET /v2/operator/teams lists them.' },
  KEY_NOT_FOUND: { status: 404, message: 'No active key has this id. GET /v2/operator/keys lists them.' },
  TEAM_NAME_TAKEN: { status: 409, message: 'A team has this name already. Choose another one.' },
  LAST_OPERATOR_KEY: {
    status: 409,
    message:
      'This is the last active key of an operator. Make another one first (operator: true, or --operator).',
  },
  JOB_NOT_FINISHED: { status: 409, message: 'The job has not finished yet. Ask again in a moment.' },
  NOTHING_TO_RETRY: { status: 409, message: 'No page of this job failed, so there is nothing to try again.' },
  JOB_ALREADY_ENDED: { status: 409, message: 'The job has already ended.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message: 'This idempotency key was used before. The field id has the job that it started.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many calls in this minute. Wait for the time in Retry-After.' },
  SCRAPE_ALL_ENGINES_FAILED: {
    status: 500,
    message: 'All attempts to fetch this page failed. See details for the error of each attempt.',
  },
  SCRAPE_DNS_RESOLUTION_ERROR: {
    status: 500,
    message: 'The host name does not resolve. Check the spelling of the URL.',
  },
  SCRAPE_SSL_ERROR: {
    status: 500,
    message: 'The TLS connection failed. Set skipTlsVerification: true to accept an invalid certificate.',
  },
  SCRAPE_SITE_ERROR: { status: 500, message: 'The site closed the connection before the page was complete.' },
  SCRAPE_TOO_MANY_REDIRECTS: { status: 500, message: 'The URL redirects too often or in a loop.' },
  SCRAPE_PAGE_TOO_LARGE: { status: 500, message: 'The page is larger than this service accepts.' },
  SCRAPE_UNSUPPORTED_FILE_ERROR: {
    status: 500,
    message: 'The URL is a file of a type that this installation cannot convert to text.',
  },
  SCRAPE_JOB_CANCELLED: { status: 500, message: 'The job was cancelled.' },
  JOB_INTERRUPTED: {
    status: 500,
    message:
      'The process that ran this call ended before the call was done. Nothing was charged. Call again.',
  },
  JOB_ATTEMPTS_EXHAUSTED: {
    status: 500,
    message: 'The job was started several times and never finished. Nothing was charged.',
  },
  JOB_DEADLINE_PASSED: { status: 500, message: 'The job waited past its deadline. Nothing was charged.' },
  INTERNAL: {
    status: 500,
    message: 'Internal error. The log line with this request id has the cause.',
  },
  SCRAPE_ACTION_ERROR: {
    status: 500,
    message: 'An action failed. See details for its position in the list and the reason.',
  },
  SUPPORT_BUDGET_REACHED: {
    status: 504,
    message: 'The question took longer than one question may. What was found until then is in the answer.',
  },
  FILE_NOT_FOUND: { status: 404, message: 'File not found, or its URL has expired.' },
  TOO_MANY_UNFINISHED_REQUESTS: {
    status: 503,
    message:
      'Too many request bodies are unfinished (MAX_UNFINISHED_MB). Send the request again after the time in Retry-After, with fewer bodies at once.',
  },
  TOO_MANY_SOCKETS: {
    status: 429,
    message: 'Too many connections are open. Close those that you no longer need, then try again.',
  },
  STORED_DATA_DAMAGED: {
    status: 500,
    message:
      'What this service stored for the call is damaged or missing: the field reason names the check that failed. Run the job again. The operator should check the disk or the bucket and may restore a backup.',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    message:
      'The store of this service is unavailable. The field part names the failing part. Call again in a moment.',
  },
  TEMPORARY_FOLDER_FULL: {
    status: 503,
    message:
      'The temporary folder of this service (TMPDIR) is full. Nothing was charged. Call again after the time in Retry-After; the operator must free space in it, or set TMPDIR to a larger one. The log has its path.',
  },
  NOT_READY: {
    status: 503,
    message:
      'A part of this service does not work. The field parts names it; the log says why, and npm run doctor checks each part.',
  },
  STOPPING: { status: 503, message: 'The service is stopping. Call again in a few seconds.' },
  CALL_INTERRUPTED: {
    status: 503,
    message:
      'The service stopped before this call was done. Work that was not finished is not charged. Call again after the time in Retry-After.',
  },
  // Browsers, sessions, profiles and language models.
  PROFILE_IN_USE: {
    status: 409,
    message:
      'Another session is saving the profile. Wait until that session ends, or use saveChanges: false.',
  },
  PROFILE_TOO_LARGE: {
    status: 413,
    message: 'The browser storage exceeds the 64 MB limit of a profile. The profile was not saved.',
  },
  PROFILE_UNREADABLE: {
    status: 500,
    message:
      'The saved profile cannot be read: its key (PROFILE_KEY) has changed, or it is damaged. Restore the key, or delete the profile.',
  },
  BROWSER_NOT_CONFIGURED: {
    status: 503,
    message:
      'This call needs a browser, and none was found. Set CHROMIUM_PATH, or start once as root on Debian or Ubuntu.',
  },
  SANDBOX_NOT_CONFIGURED: {
    status: 503,
    message:
      'Browser sessions and code run in a sandbox, and no working one was found. Install bubblewrap; npm run doctor shows the problem.',
  },
  PYTHON_NOT_CONFIGURED: {
    status: 503,
    message:
      'Code in Python needs Playwright for Python, which was not found. Start once with python3-venv and access to a package index, or set PYTHON_PATH.',
  },
  CODE_NOT_STARTED: {
    status: 502,
    message: 'The sandbox for the code did not start, so nothing ran. Call again.',
  },
  BROWSER_FAILED: {
    status: 500,
    message: 'The browser failed twice on this page. Call again; if the error persists, the page causes it.',
  },
  MODEL_NOT_CONFIGURED: {
    status: 503,
    message:
      'This call needs a language model, and none is configured. Set MODEL_URL, MODEL_KEY and MODEL_NAME.',
  },
  MODEL_BUDGET_SPENT: {
    status: 429,
    message:
      'The team has used the tokens of the language model that it may use per day (MODEL_TOKENS_PER_TEAM_PER_DAY). They are counted anew at 00:00 UTC.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    message:
      'Browser session not found. Sessions are kept for a limited time after their end (RETENTION_HOURS).',
  },
  SESSION_DESTROYED: {
    status: 410,
    message: 'The browser session was destroyed. Start a new one; for interact, scrape the page again.',
  },
  SESSION_LIMIT_REACHED: {
    status: 429,
    message:
      'The team has reached its limit of open browser sessions (TEAM_BROWSERS). End one, or wait until one ends.',
  },
  SESSION_MEMORY_EXHAUSTED: {
    status: 503,
    message:
      'The machine has no memory for another browser session (SESSIONS_MEMORY_MB). End one, or call again when one has ended.',
  },
  SESSION_FAILED: {
    status: 502,
    message: 'The browser of the session could not be started or reached, and nothing ran. Call again.',
  },
  REPLAY_UNAVAILABLE: {
    status: 409,
    message:
      'The page of the scrape cannot be opened as it was. Run the scrape again, then interact with that.',
  },
  REPLAY_NOT_FOUND: { status: 404, message: 'Replay not found: sessions are not recorded here.' },
  MODEL_FAILED: {
    status: 502,
    message: 'The language model did not answer correctly. See reason and hint.',
  },
  INTERACT_TIMEOUT: {
    status: 408,
    message: 'The task did not finish in time. Raise timeout, or split the task.',
  },
  INTERACT_FAILED: {
    status: 500,
    message: 'The task failed after some steps; stdout lists them. See reason and hint.',
  },
} as const satisfies Record<string, { status: number; message: string }>
