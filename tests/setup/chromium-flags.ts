/**
 * Features that the browser does without. A switch given twice counts once, the last time, so this list
 * repeats what the driver turns off for steady tests.
 */
const unusedFeatures = [
  // A window's address bar would start a page of its own beside each page under test, a third of all the work.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // These make painting, navigation and storage differ from what a test expects.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  // These ask other machines.
  'AimEnabled',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
];

/** For a Chromium that no person looks at: no sandbox, since tests may run as root, and nothing sent anywhere. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${unusedFeatures.join(',')}`,
];
