/** Names of places for ads. The ad blocker of the browser takes its rules for such places from here too. */
export const adPlaces = {
  classes: [
    ...['adsbygoogle', 'ad-banner', 'ad-slot', 'ad-unit', 'ad-leaderboard', 'ad-container', 'ad-wrapper'],
    ...['ad-placement', 'ads-banner', 'ads-container', 'advert-container', 'banner-ad', 'google-ad'],
    ...['sponsored-ad', 'dfp-ad', 'gpt-ad', 'OUTBRAIN', 'taboola-container', 'mgid-widget'],
    ...['revcontent-widget', 'advertisement'],
  ],
  ids: ['ad-banner', 'ad_banner', 'ad-leaderboard', 'ad-container', 'google_ads', 'advertisement'],
  idPrefixes: ['google_ads_iframe', 'div-gpt-ad', 'taboola-', 'outbrain_widget', 'aswift_'],
}

/** Whose frames and pictures are ads, on every site but their own. */
export const adHosts = [
  ...['doubleclick.net', 'googlesyndication.com', 'googleadservices.com', 'googletagservices.com'],
  ...['2mdn.net', 'amazon-adsystem.com', 'adnxs.com', 'adsrvr.org', 'criteo.com', 'criteo.net'],
  ...['rubiconproject.com', 'pubmatic.com', 'openx.net', 'casalemedia.com', 'taboola.com', 'outbrain.com'],
  ...['outbrainimg.com', 'revcontent.com', 'mgid.com', 'adroll.com', 'adform.net', 'smartadserver.com'],
  ...['teads.tv', 'sharethrough.com', 'media.net', 'zedo.com'],
]

/** Names that consent managers give to the dialogs they add to a page. */
export const consentPlaces = {
  classes: [
    ...['cc-window', 'cky-consent-container', 'cky-overlay', 'cmplz-cookiebanner', 'osano-cm-window'],
    ...['qc-cmp2-container', 'fc-consent-root', 'iubenda-cs-container', 'klaro', 'termly-styles-root'],
    ...['moove-gdpr-info-bar-hidden', 'eu-cookie-compliance-banner', 'onetrust-pc-dark-filter'],
  ],
  ids: [
    ...['onetrust-consent-sdk', 'onetrust-banner-sdk', 'onetrust-pc-sdk', 'CybotCookiebotDialog'],
    ...['CybotCookiebotDialogBodyUnderlay', 'didomi-host', 'didomi-notice', 'usercentrics-root'],
    ...[
      'usercentrics-cmp-ui',
      'qc-cmp2-ui',
      'truste-consent-track',
      'consent_blackbar',
      'cmpbox',
      'cmpwrapper',
    ],
    ...[
      'cookie-law-info-bar',
      'iubenda-cs-banner',
      'axeptio_overlay',
      'tarteaucitronRoot',
      'BorlabsCookieBox',
    ],
    ...['hs-eu-cookie-confirmation', 'cmplz-cookiebanner-container', 'moove_gdpr_cookie_info_bar'],
    ...[
      'cookiescript_injected',
      'termly-code-snippet-support',
      'ez-cookie-dialog-wrapper',
      'dtcookie-container',
    ],
    ...['_evidon_banner', 'sliding-popup', 'cookiebanner', 'cookieconsent', 'gdpr-cookie-consent-bar'],
  ],
  idPrefixes: ['sp_message_container_'],
}

/** Names that sites give to their own dialogs; a dash stands for any separator. */
export const likelyConsent = [
  ...[
    'cookie-banner',
    'cookies-banner',
    'cookie-consent',
    'cookies-consent',
    'cookie-notice',
    'cookies-notice',
  ],
  ...['cookie-bar', 'cookie-popup', 'cookie-modal', 'cookie-dialog', 'cookie-message', 'cookie-alert'],
  ...[
    'cookie-overlay',
    'cookie-warning',
    'cookie-disclaimer',
    'cookie-consent-banner',
    'cookie-notification',
  ],
  ...['consent-banner', 'consent-modal', 'consent-dialog', 'consent-popup', 'gdpr-banner', 'gdpr-consent'],
  ...[
    'gdpr-notice',
    'gdpr-popup',
    'privacy-banner',
    'cookie-policy-banner',
    'banner-cookie',
    'banner-cookies',
  ],
]
