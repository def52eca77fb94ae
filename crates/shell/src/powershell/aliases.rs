//! Which cmdlet a short name stands for: the aliases that PowerShell 5 and 7 bring with them.
//!
//! Knows nothing of aliases that a profile or the line itself defines.

/// Each cmdlet with its aliases, in small letters.
const ALIASES: &[(&str, &str)] = &[
    ("Get-ChildItem", "ls dir gci"),
    ("Get-Content", "cat gc type"),
    ("Remove-Item", "rm del erase rd rmdir ri"),
    ("Copy-Item", "cp copy cpi"),
    ("Move-Item", "mv move mi"),
    ("Rename-Item", "ren rni"),
    ("New-Item", "ni md mkdir"),
    ("Set-Content", "sc"),
    ("Add-Content", "ac"),
    ("Clear-Content", "clc"),
    ("Clear-Item", "cli"),
    ("Set-Item", "si"),
    ("Get-Item", "gi"),
    ("Invoke-Item", "ii"),
    ("Get-ItemProperty", "gp"),
    ("Get-ItemPropertyValue", "gpv"),
    ("Set-ItemProperty", "sp"),
    ("Clear-ItemProperty", "clp"),
    ("Copy-ItemProperty", "cpp"),
    ("Move-ItemProperty", "mp"),
    ("Remove-ItemProperty", "rp"),
    ("Rename-ItemProperty", "rnp"),
    ("Set-Location", "cd chdir sl cd.. cd\\ cd~ cd/"),
    ("Push-Location", "pushd"),
    ("Pop-Location", "popd"),
    ("Get-Location", "pwd gl"),
    ("Resolve-Path", "rvpa"),
    ("Convert-Path", "cvpa"),
    ("Write-Output", "echo write"),
    ("Select-Object", "select"),
    ("Where-Object", "? where"),
    ("ForEach-Object", "% foreach"),
    ("Sort-Object", "sort"),
    ("Group-Object", "group"),
    ("Measure-Object", "measure"),
    ("Compare-Object", "diff compare"),
    ("Tee-Object", "tee"),
    ("Select-String", "sls"),
    ("Get-Unique", "gu"),
    ("Get-Member", "gm"),
    ("Format-Table", "ft"),
    ("Format-List", "fl"),
    ("Format-Wide", "fw"),
    ("Format-Custom", "fc"),
    ("Format-Hex", "fhx"),
    ("Out-Host", "oh"),
    ("Out-Printer", "lp"),
    ("Out-GridView", "ogv"),
    ("Invoke-WebRequest", "curl wget iwr"),
    ("Invoke-RestMethod", "irm"),
    ("Invoke-Expression", "iex"),
    ("Invoke-Command", "icm"),
    ("Invoke-History", "ihy r"),
    ("Invoke-WmiMethod", "iwmi"),
    ("Invoke-CimMethod", "icim"),
    ("Start-Process", "start saps"),
    ("Stop-Process", "kill spps"),
    ("Get-Process", "ps gps"),
    ("Start-Job", "sajb"),
    ("Stop-Job", "spjb"),
    ("Get-Job", "gjb"),
    ("Receive-Job", "rcjb"),
    ("Remove-Job", "rjb"),
    ("Resume-Job", "rujb"),
    ("Suspend-Job", "sujb"),
    ("Wait-Job", "wjb"),
    ("Start-Service", "sasv"),
    ("Stop-Service", "spsv"),
    ("Get-Service", "gsv"),
    ("Start-Sleep", "sleep"),
    ("Get-History", "ghy h history"),
    ("Add-History", "ahy"),
    ("Clear-History", "clhy"),
    ("Clear-Host", "cls clear"),
    ("Get-Alias", "gal"),
    ("Set-Alias", "sal"),
    ("New-Alias", "nal"),
    ("Export-Alias", "epal"),
    ("Import-Alias", "ipal"),
    ("Get-Variable", "gv"),
    ("Set-Variable", "sv set"),
    ("New-Variable", "nv"),
    ("Remove-Variable", "rv"),
    ("Clear-Variable", "clv"),
    ("Get-Command", "gcm"),
    ("Get-Module", "gmo"),
    ("Import-Module", "ipmo"),
    ("Remove-Module", "rmo"),
    ("New-Module", "nmo"),
    ("Get-PSDrive", "gdr"),
    ("New-PSDrive", "ndr mount"),
    ("Remove-PSDrive", "rdr"),
    ("Import-Csv", "ipcsv"),
    ("Export-Csv", "epcsv"),
    ("Get-Clipboard", "gcb"),
    ("Set-Clipboard", "scb"),
    ("Get-ComputerInfo", "gin"),
    ("Get-TimeZone", "gtz"),
    ("Set-TimeZone", "stz"),
    ("Get-WmiObject", "gwmi"),
    ("Set-WmiInstance", "swmi"),
    ("Remove-WmiObject", "rwmi"),
    ("Get-CimInstance", "gcim"),
    ("Set-CimInstance", "scim"),
    ("New-CimInstance", "ncim"),
    ("Remove-CimInstance", "rcim"),
    ("Get-CimClass", "gcls"),
    ("Get-CimAssociatedInstance", "gcai"),
    ("New-CimSession", "ncms"),
    ("Get-CimSession", "gcms"),
    ("Remove-CimSession", "rcms"),
    ("Register-CimIndicationEvent", "rcie"),
    ("New-CimSessionOption", "ncso"),
    ("New-PSSession", "nsn"),
    ("Get-PSSession", "gsn"),
    ("Enter-PSSession", "etsn"),
    ("Exit-PSSession", "exsn"),
    ("Remove-PSSession", "rsn"),
    ("Connect-PSSession", "cnsn"),
    ("Disconnect-PSSession", "dnsn"),
    ("Receive-PSSession", "rcsn"),
    ("Import-PSSession", "ipsn"),
    ("Export-PSSession", "epsn"),
    ("New-PSSessionConfigurationFile", "npssc"),
    ("Get-PSBreakpoint", "gbp"),
    ("Set-PSBreakpoint", "sbp"),
    ("Enable-PSBreakpoint", "ebp"),
    ("Disable-PSBreakpoint", "dbp"),
    ("Remove-PSBreakpoint", "rbp"),
    ("Get-PSCallStack", "gcs"),
    ("Get-PSSnapin", "gsnp"),
    ("Add-PSSnapin", "asnp"),
    ("Remove-PSSnapin", "rsnp"),
    ("Show-Command", "shcm"),
    ("Trace-Command", "trcm"),
    ("Get-Error", "gerr"),
];

/// The cmdlet that `name` (in small letters) stands for.
pub(super) fn resolve(name: &str) -> Option<&'static str> {
    let found = ALIASES.iter().find(|(_, short)| short.split(' ').any(|known| known == name));
    found.map(|(cmdlet, _)| *cmdlet)
}

/// The aliases of a cmdlet, in lower case.
pub fn aliases(cmdlet: &str) -> impl Iterator<Item = &'static str> {
    let all = ALIASES.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(cmdlet));
    all.flat_map(|(_, short)| short.split(' '))
}

/// Verbs that cmdlets begin with: a name such as `Get-Something` is a cmdlet, known to us or not.
const VERBS: &str = " add approve assert backup block build checkpoint clear close compare complete compress \
    confirm connect convert convertfrom convertto copy debug deny deploy disable disconnect dismount edit enable \
    enter exit expand export find foreach format get grant group hide import initialize install invoke join limit \
    lock measure merge mount move new open optimize out ping pop protect publish push read receive redo register \
    remove rename repair request reset resize resolve restart restore resume revoke save search select send set \
    show skip sort split start step stop submit suspend switch sync tee test trace unblock undo uninstall \
    unlock unprotect unpublish unregister update use wait watch where write ";

/// Whether `name` (in small letters) has the form of a cmdlet: an approved verb, a dash, a noun.
pub(super) fn is_cmdlet_like(name: &str) -> bool {
    let Some((verb, noun)) = name.split_once('-') else { return false };
    !noun.is_empty() && !verb.contains(' ') && VERBS.contains(&format!(" {verb} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alias_stands_for_one_cmdlet() {
        let mut all: Vec<&str> = ALIASES.iter().flat_map(|(_, short)| short.split(' ')).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(resolve("gci"), Some("Get-ChildItem"));
        assert_eq!(resolve("git"), None);
        assert!(is_cmdlet_like("get-foo") && is_cmdlet_like("remove-azvm"));
        assert!(!is_cmdlet_like("apt-get") && !is_cmdlet_like("docker-compose") && !is_cmdlet_like("git"));
    }
}
