public import GlissadeControls
public import GlissadeNavigation

// The conformance is here because `Navigation`, which declares `BarItem`, does not import `Controls`.
extension Button: BarItem {}
