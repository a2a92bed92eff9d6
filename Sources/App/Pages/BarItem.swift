public import Controls
public import Navigation

// The conformance is here because `Navigation`, which declares `BarItem`, does not import `Controls`.
extension Button: BarItem {}
