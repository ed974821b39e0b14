/**
 * The methods that guests may call: those that only affect the pages of their own session. Methods that affect files,
 * ports, processes or the browser's switches are excluded, and so are new methods of later Chromium versions.
 */
const byDomain: Record<string, string> = {
  Accessibility: `disable enable getPartialAXTree getFullAXTree getRootAXNode getAXNodeAndAncestors
    getChildAXNodes queryAXTree`,
  Animation: `disable enable getCurrentTime getPlaybackRate releaseAnimations resolveAnimation seekAnimations
    setPaused setPlaybackRate setTiming`,
  Audits: 'checkFormsIssues disable enable getEncodedResponse',
  Browser: `cancelDownload close getVersion getWindowBounds getWindowForTarget grantPermissions resetPermissions
    setContentsSize setDownloadBehavior setPermission setWindowBounds`,
  CSS: `addRule collectClassNames createStyleSheet disable enable forcePseudoState getBackgroundColors
    getComputedStyleForNode getInlineStylesForNode getLayersForNode getMatchedStylesForNode getMediaQueries
    getPlatformFontsForNode getStyleSheetText setEffectivePropertyValueForNode setKeyframeKey setMediaText
    setRuleSelector setStyleSheetText setStyleTexts startRuleUsageTracking stopRuleUsageTracking
    takeComputedStyleUpdates takeCoverageDelta trackComputedStyleUpdates`,
  CacheStorage: 'deleteCache deleteEntry requestCacheNames requestCachedResponse requestEntries',
  Console: 'clearMessages disable enable',
  DOM: `collectClassNamesFromSubtree copyTo describeNode disable discardSearchResults enable focus getAttributes
    getBoxModel getContainerForNode getContentQuads getDocument getElementByRelation getFlattenedDocument
    getFrameOwner getNodeForLocation getNodesForSubtreeByStyle getNodeStackTraces getOuterHTML
    getRelayoutBoundary getSearchResults getTopLayerElements hideHighlight highlightNode highlightRect
    markUndoableState moveTo performSearch pushNodeByPathToFrontend pushNodesByBackendIdsToFrontend
    querySelector querySelectorAll redo removeAttribute removeNode requestChildNodes requestNode resolveNode
    scrollIntoViewIfNeeded setAttributesAsText setAttributeValue setInspectedNode setNodeName
    setNodeStackTracesEnabled setNodeValue setOuterHTML undo`,
  DOMDebugger: `getEventListeners removeDOMBreakpoint removeEventListenerBreakpoint removeXHRBreakpoint
    setDOMBreakpoint setEventListenerBreakpoint setXHRBreakpoint`,
  DOMSnapshot: 'captureSnapshot disable enable getSnapshot',
  DOMStorage: 'clear disable enable getDOMStorageItems removeDOMStorageItem setDOMStorageItem',
  Debugger: `continueToLocation disable enable evaluateOnCallFrame getPossibleBreakpoints getScriptSource
    getStackTrace pause removeBreakpoint restartFrame resume searchInContent setAsyncCallStackDepth
    setBlackboxedRanges setBlackboxPatterns setBreakpoint setBreakpointByUrl setBreakpointsActive
    setInstrumentationBreakpoint setPauseOnExceptions setReturnValue setScriptSource setSkipAllPauses
    setVariableValue stepInto stepOut stepOver`,
  DeviceOrientation: 'clearDeviceOrientationOverride setDeviceOrientationOverride',
  Emulation: `addScreen canEmulate clearDeviceMetricsOverride clearDevicePostureOverride clearGeolocationOverride
    clearIdleOverride getScreenInfos removeScreen resetPageScaleFactor setAutoDarkModeOverride
    setAutomationOverride setCPUThrottlingRate setDefaultBackgroundColorOverride setDeviceMetricsOverride
    setDevicePostureOverride setDisabledImageTypes setDocumentCookieDisabled setEmitTouchEventsForMouse
    setEmulatedMedia setEmulatedOSTextScale setEmulatedVisionDeficiency setFocusEmulationEnabled
    setGeolocationOverride setHardwareConcurrencyOverride setIdleOverride setLocaleOverride
    setNavigatorOverrides setPageScaleFactor setScriptExecutionDisabled setScrollbarsHidden
    setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride setVirtualTimePolicy setVisibleSize`,
  Fetch: `continueRequest continueResponse continueWithAuth disable enable failRequest fulfillRequest
    getResponseBody takeResponseBodyAsStream`,
  HeapProfiler: 'collectGarbage disable enable takeHeapSnapshot',
  IO: 'close read',
  IndexedDB: `clearObjectStore deleteDatabase deleteObjectStoreEntries disable enable getMetadata requestData
    requestDatabase requestDatabaseNames`,
  Input: `cancelDragging dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent
    emulateTouchFromMouseEvent imeSetComposition insertText setIgnoreInputEvents setInterceptDrags
    synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture`,
  Inspector: 'disable enable',
  Log: 'clear disable enable startViolationsReport stopViolationsReport',
  Media: 'disable enable',
  Network: `canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions clearBrowserCache
    clearBrowserCookies deleteCookies disable emulateNetworkConditions emulateNetworkConditionsByRule enable
    enableReportingApi getAllCookies getCertificate getCookies getRequestPostData getResponseBody
    getSecurityIsolationStatus loadNetworkResource overrideNetworkState replayXHR searchInResponseBody
    setAttachDebugStack setBlockedURLs setBypassServiceWorker setCacheDisabled setCookie setCookies
    setExtraHTTPHeaders setUserAgentOverride streamResourceContent`,
  Overlay: `disable enable hideHighlight highlightFrame highlightNode highlightQuad highlightRect setInspectMode
    setPausedInDebuggerMessage setShowDebugBorders setShowFPSCounter setShowPaintRects
    setShowViewportSizeOnResize`,
  Page: `addScriptToEvaluateOnLoad addScriptToEvaluateOnNewDocument bringToFront captureScreenshot
    captureSnapshot clearDeviceMetricsOverride clearDeviceOrientationOverride clearGeolocationOverride close
    createIsolatedWorld deleteCookie disable enable getAppManifest getFrameTree getInstallabilityErrors
    getLayoutMetrics getNavigationHistory getPermissionsPolicyState getResourceContent getResourceTree
    handleJavaScriptDialog navigate navigateToHistoryEntry printToPDF reload
    removeScriptToEvaluateOnLoad removeScriptToEvaluateOnNewDocument resetNavigationHistory
    screencastFrameAck searchInResource setAdBlockingEnabled setBypassCSP setDeviceMetricsOverride
    setDeviceOrientationOverride setDocumentContent setDownloadBehavior setFontFamilies setFontSizes
    setGeolocationOverride setInterceptFileChooserDialog setLifecycleEventsEnabled setPrerenderingAllowed
    setTouchEmulationEnabled setWebLifecycleState startScreencast stopLoading stopScreencast waitForDebugger`,
  Performance: 'disable enable getMetrics setTimeDomain',
  PerformanceTimeline: 'enable',
  Profiler: `disable enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop
    stopPreciseCoverage takePreciseCoverage`,
  Runtime: `addBinding awaitPromise callFunctionOn compileScript disable discardConsoleEntries enable evaluate
    getExceptionDetails getHeapUsage getIsolateId getProperties globalLexicalScopeNames queryObjects
    releaseObject releaseObjectGroup removeBinding runIfWaitingForDebugger runScript setAsyncCallStackDepth
    setCustomObjectFormatterEnabled setMaxCallStackSizeToCapture terminateExecution`,
  Schema: 'getDomains',
  Security: 'disable enable handleCertificateError setIgnoreCertificateErrors setOverrideCertificateErrors',
  ServiceWorker: `deliverPushMessage disable dispatchPeriodicSyncEvent dispatchSyncEvent enable
    setForceUpdateOnPageLoad skipWaiting startWorker stopAllWorkers stopWorker unregister updateRegistration`,
  Storage: `clearCookies clearDataForOrigin clearDataForStorageKey getCookies getStorageKey getStorageKeyForFrame
    getUsageAndQuota overrideQuotaForOrigin setCookies trackCacheStorageForOrigin trackIndexedDBForOrigin
    untrackCacheStorageForOrigin untrackIndexedDBForOrigin`,
  Target: `activateTarget attachToBrowserTarget attachToTarget closeTarget createBrowserContext createTarget
    detachFromTarget disposeBrowserContext getBrowserContexts getTargetInfo getTargets setAutoAttach
    setDiscoverTargets`,
  WebAudio: 'disable enable getRealtimeData',
  WebAuthn: `addCredential addVirtualAuthenticator clearCredentials disable enable getCredential getCredentials
    removeCredential removeVirtualAuthenticator setAutomaticPresenceSimulation setCredentialProperties
    setResponseOverrideBits setUserVerified`,
}

export const allowedMethods: ReadonlySet<string> = new Set(
  Object.entries(byDomain).flatMap(([domain, names]) =>
    names.split(/\s+/).map((name) => `${domain}.${name}`),
  ),
)
