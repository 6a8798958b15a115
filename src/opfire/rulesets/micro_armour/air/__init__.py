"""Air strikes [12.3]: aircraft, their plans, anti-aircraft fire, strafing and bombing."""
