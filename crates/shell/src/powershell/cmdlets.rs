//! What each known cmdlet does and which parameters of it are understood.
//!
//! A cmdlet or parameter that is not here is not known; nothing is guessed from a verb.

use crate::effects::Effects;

/// What is done with the value of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A switch: no value.
    Switch,
    /// A value that does nothing by itself.
    Plain,
    /// Paths that are read.
    Read,
    /// Paths that are written.
    Write,
    /// Paths that are removed.
    Delete,
    /// Paths that are written under another name and removed.
    Move,
    /// A place that is looked at but of which nothing is shown.
    Place,
    /// The name of a variable that is set.
    Variable,
    /// Text that is run.
    Code,
    /// A program that is run.
    Program,
    /// An address that is fetched.
    Address,
    /// Data that leaves the machine.
    Sent,
}

/// One cmdlet. `parameters` holds names separated by blanks; the last character says what the value
/// is (see [`role`]), and a name without one is a switch.
pub(super) struct Cmdlet {
    pub(super) name: &'static str,
    pub(super) effects: Effects,
    /// The parameters that take values by position; `*` as the last one: it takes all that is left.
    pub(super) positions: &'static str,
    pub(super) parameters: &'static str,
}

/// Splits an entry of a parameter list into its name and what its value is.
pub(super) fn role(entry: &str) -> (&str, Role) {
    let roles = [
        ('=', Role::Plain),
        ('<', Role::Read),
        ('>', Role::Write),
        ('!', Role::Delete),
        ('~', Role::Move),
        ('@', Role::Place),
        ('$', Role::Variable),
        ('^', Role::Code),
        ('&', Role::Program),
        ('#', Role::Address),
        ('+', Role::Sent),
    ];
    for (mark, role) in roles {
        if let Some(name) = entry.strip_suffix(mark) {
            return (name, role);
        }
    }
    (entry, Role::Switch)
}

/// Parameters that every cmdlet has.
pub(super) const COMMON: &str = "Verbose vb Debug db ErrorAction= ea= WarningAction= wa= InformationAction= infa= \
    ProgressAction= proga= OutBuffer= ob= ErrorVariable$ ev$ WarningVariable$ wv$ InformationVariable$ iv$ \
    OutVariable$ ov$ PipelineVariable$ pv$ WhatIf wi Confirm cf";

/// The cmdlet called `name`, in any case.
pub(super) fn find(name: &str) -> Option<&'static Cmdlet> {
    [READING, CHANGING].into_iter().flatten().find(|cmdlet| cmdlet.name.eq_ignore_ascii_case(name))
}

const fn cmdlet(
    name: &'static str,
    effects: Effects,
    positions: &'static str,
    parameters: &'static str,
) -> Cmdlet {
    Cmdlet { name, effects, positions, parameters }
}

const NONE: Effects = Effects::NONE;
const READS: Effects = Effects::READS;
const STATE: Effects = Effects::SHELL_STATE;
const WRITES: Effects = Effects::WRITES;
const DELETES: Effects = Effects::DELETES;
const EXECUTES: Effects = Effects::EXECUTES;
const SYSTEM: Effects = Effects::SYSTEM;
const INSTALLS: Effects = Effects::INSTALLS_NAMED.and(Effects::EXECUTES);

/// Cmdlets that leave no trace when only these parameters are used.
const READING: &[Cmdlet] = &[
    cmdlet(
        "Get-ChildItem",
        READS,
        "Path Filter",
        "Path< LiteralPath< PSPath< LP< Filter= Include= Exclude= Recurse s Depth= Force Name Attributes= FollowSymlink Directory ad d File af Hidden ah h ReadOnly ar System as",
    ),
    cmdlet(
        "Get-Content",
        READS,
        "Path",
        "Path< LiteralPath< PSPath< LP< TotalCount= First= Head= Tail= Last= ReadCount= Raw Wait Encoding= Delimiter= Filter= Include= Exclude= Force AsByteStream Stream=",
    ),
    cmdlet(
        "Get-Item",
        READS,
        "Path",
        "Path< LiteralPath< PSPath< LP< Filter= Include= Exclude= Force Stream=",
    ),
    cmdlet(
        "Get-ItemProperty",
        READS,
        "Path Name",
        "Path< LiteralPath< PSPath< LP< Name= PSProperty= Filter= Include= Exclude=",
    ),
    cmdlet(
        "Get-ItemPropertyValue",
        READS,
        "Path Name",
        "Path< LiteralPath< PSPath< LP< Name= Filter= Include= Exclude=",
    ),
    cmdlet("Get-Location", READS, "", "PSProvider= PSDrive= Stack StackName="),
    cmdlet("Set-Location", STATE, "Path", "Path@ LiteralPath@ PSPath@ LP@ PassThru StackName="),
    cmdlet("Push-Location", STATE, "Path", "Path@ LiteralPath@ PSPath@ LP@ PassThru StackName="),
    cmdlet("Pop-Location", STATE, "", "PassThru StackName="),
    cmdlet(
        "Test-Path",
        READS,
        "Path",
        "Path@ LiteralPath@ PSPath@ LP@ PathType= Type= Filter= Include= Exclude= IsValid OlderThan= NewerThan=",
    ),
    cmdlet("Resolve-Path", READS, "Path", "Path@ LiteralPath@ PSPath@ LP@ Relative RelativeBasePath@ Force"),
    cmdlet("Convert-Path", READS, "Path", "Path@ LiteralPath@ PSPath@ LP@"),
    cmdlet(
        "Split-Path",
        NONE,
        "Path",
        "Path= LiteralPath= PSPath= LP= Parent Leaf LeafBase Extension Qualifier NoQualifier IsAbsolute",
    ),
    cmdlet(
        "Join-Path",
        NONE,
        "Path ChildPath AdditionalChildPath*",
        "Path= PSPath= ChildPath= AdditionalChildPath=",
    ),
    cmdlet(
        "Select-String",
        READS,
        "Pattern Path",
        "Pattern= Path< LiteralPath< PSPath< LP< InputObject= SimpleMatch CaseSensitive Quiet List NoEmphasis Include= Exclude= NotMatch AllMatches Encoding= Context= Raw Culture=",
    ),
    cmdlet(
        "Select-Object",
        NONE,
        "Property",
        "Property= InputObject= ExcludeProperty= ExpandProperty= Unique CaseInsensitive First= Last= Skip= SkipLast= SkipIndex= Index= Wait",
    ),
    cmdlet(
        "Where-Object",
        NONE,
        "Property Value",
        "FilterScript= Property= Value= InputObject= EQ NE GT LT GE LE Like NotLike Match NotMatch Contains NotContains In NotIn Is IsNot Not CEQ CNE CGT CLT CGE CLE CLike CNotLike CMatch CNotMatch CContains CNotContains CIn CNotIn IEQ INE IGT ILT IGE ILE ILike INotLike IMatch INotMatch IContains INotContains IIn INotIn",
    ),
    cmdlet(
        "ForEach-Object",
        NONE,
        "Process",
        "Process= Begin= End= RemainingScripts= InputObject= MemberName= Parallel= ThrottleLimit= TimeoutSeconds= UseNewRunspace",
    ),
    cmdlet(
        "Sort-Object",
        NONE,
        "Property",
        "Property= Descending Unique InputObject= Culture= CaseSensitive Stable Top= Bottom=",
    ),
    cmdlet(
        "Group-Object",
        NONE,
        "Property",
        "Property= NoElement AsHashTable AsString InputObject= Culture= CaseSensitive",
    ),
    cmdlet(
        "Measure-Object",
        NONE,
        "Property",
        "Property= InputObject= StandardDeviation Sum AllStats Average Maximum Minimum Line Word Character IgnoreWhiteSpace",
    ),
    cmdlet(
        "Compare-Object",
        NONE,
        "ReferenceObject DifferenceObject",
        "ReferenceObject= DifferenceObject= SyncWindow= Property= ExcludeDifferent IncludeEqual PassThru Culture= CaseSensitive",
    ),
    cmdlet("Get-Unique", NONE, "", "InputObject= AsString OnType CaseInsensitive"),
    cmdlet("Get-Member", NONE, "Name", "Name= InputObject= MemberType= Type= View= Static Force"),
    cmdlet(
        "Format-Table",
        NONE,
        "Property",
        "Property= AutoSize RepeatHeader HideTableHeaders Wrap GroupBy= View= ShowError DisplayError Force Expand= InputObject=",
    ),
    cmdlet(
        "Format-List",
        NONE,
        "Property",
        "Property= GroupBy= View= ShowError DisplayError Force Expand= InputObject=",
    ),
    cmdlet(
        "Format-Wide",
        NONE,
        "Property",
        "Property= AutoSize Column= GroupBy= View= ShowError DisplayError Force Expand= InputObject=",
    ),
    cmdlet(
        "Format-Custom",
        NONE,
        "Property",
        "Property= Depth= GroupBy= View= ShowError DisplayError Force Expand= InputObject=",
    ),
    cmdlet(
        "Format-Hex",
        READS,
        "Path",
        "Path< LiteralPath< PSPath< LP< InputObject= Encoding= Count= Offset= Raw",
    ),
    cmdlet("Out-String", NONE, "", "Stream Width= NoNewline InputObject="),
    cmdlet("Out-Host", NONE, "", "Paging InputObject="),
    cmdlet("Out-Null", NONE, "", "InputObject="),
    cmdlet("Out-Default", NONE, "", "InputObject="),
    cmdlet("Write-Output", NONE, "InputObject*", "InputObject= NoEnumerate"),
    cmdlet(
        "Write-Host",
        NONE,
        "Object*",
        "Object= Msg= Message= NoNewline Separator= ForegroundColor= BackgroundColor=",
    ),
    cmdlet(
        "Write-Error",
        NONE,
        "Message",
        "Message= Msg= Exception= ErrorRecord= Category= ErrorId= TargetObject= RecommendedAction= CategoryActivity=",
    ),
    cmdlet("Write-Warning", NONE, "Message", "Message= Msg="),
    cmdlet("Write-Verbose", NONE, "Message", "Message= Msg="),
    cmdlet("Write-Debug", NONE, "Message", "Message= Msg="),
    cmdlet("Write-Information", NONE, "MessageData Tags", "MessageData= Msg= Message= Tags="),
    cmdlet(
        "Write-Progress",
        NONE,
        "Activity Status Id",
        "Activity= Status= Id= PercentComplete= SecondsRemaining= CurrentOperation= ParentId= Completed",
    ),
    cmdlet(
        "ConvertTo-Json",
        NONE,
        "InputObject",
        "InputObject= Depth= Compress EnumsAsStrings AsArray EscapeHandling=",
    ),
    cmdlet("ConvertFrom-Json", NONE, "InputObject", "InputObject= AsHashtable Depth= NoEnumerate DateKind="),
    cmdlet(
        "ConvertTo-Csv",
        NONE,
        "InputObject Delimiter",
        "InputObject= Delimiter= UseCulture IncludeTypeInformation NoTypeInformation NTI QuoteFields= UseQuotes= NoHeader",
    ),
    cmdlet("ConvertFrom-Csv", NONE, "InputObject Delimiter", "InputObject= Delimiter= UseCulture Header="),
    cmdlet(
        "ConvertTo-Html",
        NONE,
        "Property Head Title Body",
        "Property= InputObject= Head= Title= Body= As= Fragment Property=",
    ),
    cmdlet("ConvertTo-Xml", NONE, "InputObject", "InputObject= Depth= NoTypeInformation As="),
    cmdlet("ConvertFrom-StringData", NONE, "StringData", "StringData= Delimiter="),
    cmdlet(
        "Join-String",
        NONE,
        "Property Separator",
        "Property= Separator= InputObject= OutputPrefix= op= OutputSuffix= os= SingleQuote DoubleQuote FormatString= UseCulture",
    ),
    cmdlet(
        "Import-Csv",
        READS,
        "Path Delimiter",
        "Path< LiteralPath< PSPath< LP< Delimiter= UseCulture Header= Encoding=",
    ),
    cmdlet(
        "Get-Process",
        READS,
        "Name",
        "Name= ProcessName= Id= PID= InputObject= IncludeUserName Module FileVersionInfo FVI",
    ),
    cmdlet(
        "Get-Service",
        READS,
        "Name",
        "Name= ServiceName= DisplayName= DependentServices DS RequiredServices SDO ServicesDependedOn Include= Exclude= InputObject=",
    ),
    cmdlet("Get-Job", READS, "Id", "Id= Name= InstanceId= State= IncludeChildJob HasMoreData= Newest="),
    cmdlet(
        "Get-Date",
        READS,
        "Date",
        "Date= LastWriteTime= UnixTimeSeconds= Year= Month= Day= Hour= Minute= Second= Millisecond= DisplayHint= Format= UFormat= AsUTC",
    ),
    cmdlet(
        "Get-Command",
        READS,
        "Name",
        "Name= Verb= Noun= Module= PSSnapin= CommandType= Type= TotalCount= Syntax All ListImported ParameterName= ParameterType= UseFuzzyMatching FuzzyMinimumDistance=",
    ),
    cmdlet(
        "Get-Help",
        READS,
        "Name",
        "Name= Detailed Full Examples Parameter= Component= Functionality= Role= Category=",
    ),
    cmdlet("Get-Alias", READS, "Name", "Name= Definition= Exclude= Scope="),
    cmdlet("Get-Variable", READS, "Name", "Name= ValueOnly Include= Exclude= Scope="),
    cmdlet("Get-History", READS, "Id Count", "Id= Count="),
    cmdlet("Get-FileHash", READS, "Path Algorithm", "Path< LiteralPath< PSPath< LP< Algorithm= InputStream="),
    cmdlet(
        "Get-Acl",
        READS,
        "Path",
        "Path@ LiteralPath@ PSPath@ Audit Filter= Include= Exclude= AllCentralAccessPolicies",
    ),
    cmdlet("Get-PSDrive", READS, "Name", "Name= LiteralName= Scope= PSProvider="),
    cmdlet("Get-PSProvider", READS, "PSProvider", "PSProvider="),
    cmdlet(
        "Get-Module",
        READS,
        "Name",
        "Name= ListAvailable All FullyQualifiedName= PSEdition= SkipEditionCheck Refresh",
    ),
    cmdlet("Get-ExecutionPolicy", READS, "Scope", "Scope= List"),
    cmdlet("Get-Host", READS, "", ""),
    cmdlet("Get-Culture", READS, "", "Name= NoUserOverrides ListAvailable"),
    cmdlet("Get-UICulture", READS, "", ""),
    cmdlet("Get-TimeZone", READS, "Name", "Name= Id= ListAvailable"),
    cmdlet("Get-Uptime", READS, "", "Since"),
    cmdlet("Get-Verb", READS, "Verb Group", "Verb= Group="),
    cmdlet("Get-Error", READS, "InputObject", "InputObject= Newest="),
    cmdlet("Get-PSCallStack", READS, "", ""),
    cmdlet("Get-ComputerInfo", READS, "Property", "Property="),
    cmdlet("Get-Random", NONE, "Maximum", "Maximum= Minimum= InputObject= Count= SetSeed= Shuffle"),
    cmdlet("Get-SecureRandom", NONE, "Maximum", "Maximum= Minimum= InputObject= Count= Shuffle"),
    cmdlet("New-TimeSpan", NONE, "Start End", "Start= End= Days= Hours= Minutes= Seconds= Milliseconds="),
    cmdlet("New-Guid", NONE, "", "Empty"),
    cmdlet("Start-Sleep", NONE, "Seconds", "Seconds= Milliseconds= ms= Duration="),
    cmdlet("Clear-Host", NONE, "", ""),
    cmdlet("Measure-Command", NONE, "Expression", "Expression= InputObject="),
    cmdlet("Set-StrictMode", STATE, "", "Version= Off"),
    cmdlet(
        "Set-Variable",
        STATE,
        "Name Value",
        "Name$ Value= Force PassThru Option= Scope= Description= Visibility=",
    ),
    cmdlet(
        "New-Variable",
        STATE,
        "Name Value",
        "Name$ Value= Force PassThru Option= Scope= Description= Visibility=",
    ),
    cmdlet("Remove-Variable", STATE, "Name", "Name$ Include= Exclude= Force Scope="),
    cmdlet("Clear-Variable", STATE, "Name", "Name$ Include= Exclude= Force Scope= PassThru"),
];

const PATHS_WRITTEN: &str = "Path> LiteralPath> PSPath> LP> Value= NoNewline Encoding= Force Filter= Include= Exclude= PassThru Stream= AsByteStream";
const WEB: &str = "Uri# Method= UseBasicParsing TimeoutSec= MaximumRedirection= MaximumRetryCount= RetryIntervalSec= \
    DisableKeepAlive UserAgent= SslProtocol= SkipHttpErrorCheck OutFile> PassThru Body+ InFile+ Form+ Headers+ Credential+ \
    Token+ Authentication= UseDefaultCredentials WebSession+ SessionVariable$ CustomMethod= ContentType= \
    StatusCodeVariable$ ResponseHeadersVariable$ AllowInsecureRedirect FollowRelLink HttpVersion=";

/// Cmdlets that change something, with what they change.
const CHANGING: &[Cmdlet] = &[
    cmdlet(
        "Remove-Item",
        DELETES,
        "Path",
        "Path! LiteralPath! PSPath! LP! Recurse r Force Filter= Include= Exclude= Stream=",
    ),
    cmdlet("Set-Content", WRITES, "Path Value", PATHS_WRITTEN),
    cmdlet("Add-Content", WRITES, "Path Value", PATHS_WRITTEN),
    cmdlet(
        "Clear-Content",
        WRITES,
        "Path",
        "Path> LiteralPath> PSPath> LP> Force Filter= Include= Exclude= Stream=",
    ),
    cmdlet(
        "Out-File",
        WRITES,
        "FilePath Encoding",
        "FilePath> Path> LiteralPath> PSPath> LP> Encoding= Append Force NoClobber NoOverwrite Width= NoNewline InputObject=",
    ),
    cmdlet(
        "Tee-Object",
        WRITES,
        "FilePath",
        "FilePath> Path> LiteralPath> PSPath> LP> Append Encoding= InputObject= Variable$",
    ),
    cmdlet("New-Item", WRITES, "Path", "Path> Name> ItemType= Type= Value= Target= Force"),
    cmdlet(
        "Set-Item",
        WRITES,
        "Path Value",
        "Path> LiteralPath> PSPath> LP> Value= Force PassThru Filter= Include= Exclude=",
    ),
    cmdlet("Clear-Item", WRITES, "Path", "Path> LiteralPath> PSPath> LP> Force Filter= Include= Exclude="),
    cmdlet(
        "Copy-Item",
        WRITES.and(READS),
        "Path Destination",
        "Path< LiteralPath< PSPath< LP< Destination> Recurse Container Force Filter= Include= Exclude= PassThru",
    ),
    cmdlet(
        "Move-Item",
        WRITES.and(DELETES),
        "Path Destination",
        "Path~ LiteralPath~ PSPath~ LP~ Destination> Force Filter= Include= Exclude= PassThru",
    ),
    cmdlet(
        "Rename-Item",
        WRITES.and(DELETES),
        "Path NewName",
        "Path~ LiteralPath~ PSPath~ LP~ NewName> Force PassThru",
    ),
    cmdlet(
        "Export-Csv",
        WRITES,
        "Path Delimiter",
        "Path> LiteralPath> PSPath> LP> InputObject= Delimiter= Append Force Encoding= NoTypeInformation NTI IncludeTypeInformation NoClobber UseCulture UseQuotes= QuoteFields= NoHeader",
    ),
    cmdlet(
        "Export-Clixml",
        WRITES,
        "Path",
        "Path> LiteralPath> PSPath> LP> InputObject= Depth= Encoding= Force NoClobber",
    ),
    cmdlet(
        "Compress-Archive",
        WRITES.and(READS),
        "Path DestinationPath",
        "Path< LiteralPath< PSPath< DestinationPath> CompressionLevel= Update Force PassThru",
    ),
    cmdlet(
        "Expand-Archive",
        WRITES.and(READS),
        "Path DestinationPath",
        "Path< LiteralPath< PSPath< DestinationPath> Force PassThru",
    ),
    cmdlet(
        "Set-ItemProperty",
        WRITES.and(SYSTEM),
        "Path Name Value",
        "Path> LiteralPath> PSPath> LP> Name= PSProperty= Value= Type= Force PassThru InputObject= Filter= Include= Exclude=",
    ),
    cmdlet(
        "New-ItemProperty",
        WRITES.and(SYSTEM),
        "Path Name",
        "Path> LiteralPath> PSPath> LP> Name= PSProperty= Value= PropertyType= Type= Force Filter= Include= Exclude=",
    ),
    cmdlet(
        "Remove-ItemProperty",
        DELETES.and(SYSTEM),
        "Path Name",
        "Path> LiteralPath> PSPath> LP> Name= PSProperty= Force Filter= Include= Exclude=",
    ),
    cmdlet(
        "Clear-ItemProperty",
        WRITES.and(SYSTEM),
        "Path Name",
        "Path> LiteralPath> PSPath> LP> Name= PSProperty= Force PassThru",
    ),
    cmdlet(
        "Set-Acl",
        Effects::PERMISSIONS,
        "Path AclObject",
        "Path> LiteralPath> PSPath> AclObject= Passthru",
    ),
    cmdlet("Unblock-File", Effects::PERMISSIONS, "Path", "Path> LiteralPath> PSPath>"),
    cmdlet("Stop-Process", Effects::KILLS, "Id", "Id= Name= ProcessName= InputObject= Force PassThru"),
    cmdlet("Stop-Job", Effects::KILLS, "Id", "Id= Name= Job= InstanceId= State= PassThru"),
    cmdlet("Remove-Job", Effects::KILLS, "Id", "Id= Name= Job= InstanceId= State= Force"),
    cmdlet("Wait-Job", NONE, "Id", "Id= Name= Job= InstanceId= State= Any Timeout= Force"),
    cmdlet("Receive-Job", NONE, "Job", "Job= Id= Name= InstanceId= Keep Wait AutoRemoveJob"),
    cmdlet("Invoke-WebRequest", NONE, "Uri", WEB),
    cmdlet("Invoke-RestMethod", NONE, "Uri", WEB),
    cmdlet(
        "Start-BitsTransfer",
        Effects::NETWORK_READ.and(WRITES),
        "Source Destination",
        "Source# Destination> DisplayName= Description= Asynchronous Priority=",
    ),
    cmdlet(
        "Send-MailMessage",
        Effects::NETWORK_WRITE.and(Effects::SENDS_DATA),
        "To Subject Body SmtpServer",
        "To= Subject= Body+ SmtpServer= From= Attachments< Cc= Bcc= Port= UseSsl Credential+ BodyAsHtml",
    ),
    cmdlet(
        "Start-Process",
        EXECUTES,
        "FilePath ArgumentList",
        "FilePath& PSPath& Path& ArgumentList= Args= Wait NoNewWindow PassThru WindowStyle= WorkingDirectory= Verb= RedirectStandardOutput> RedirectStandardError> RedirectStandardInput< RSO> RSE> RSI< LoadUserProfile Environment=",
    ),
    cmdlet("Invoke-Expression", EXECUTES, "Command", "Command^"),
    cmdlet(
        "Invoke-Command",
        NONE,
        "ScriptBlock",
        "ScriptBlock= Command= ArgumentList= Args= NoNewScope InputObject= ComputerName= Cn= HostName= FilePath= PSPath= Session= Credential= AsJob ConnectionUri= VMName= ContainerId= UserName= KeyFilePath=",
    ),
    cmdlet(
        "Start-Job",
        EXECUTES,
        "ScriptBlock",
        "ScriptBlock= Command= Name= ArgumentList= Args= FilePath& InitializationScript= InputObject= WorkingDirectory=",
    ),
    cmdlet(
        "Start-ThreadJob",
        EXECUTES,
        "ScriptBlock",
        "ScriptBlock= Name= ArgumentList= FilePath& InitializationScript= InputObject= ThrottleLimit=",
    ),
    cmdlet("Invoke-Item", EXECUTES, "Path", "Path& LiteralPath& PSPath&"),
    cmdlet(
        "Import-Module",
        EXECUTES,
        "Name",
        "Name& Force Global PassThru MinimumVersion= RequiredVersion= Prefix= Scope= DisableNameChecking",
    ),
    cmdlet(
        "Add-Type",
        EXECUTES,
        "TypeDefinition",
        "TypeDefinition= MemberDefinition= Name= Namespace= Path& LiteralPath& AssemblyName= Language= ReferencedAssemblies= PassThru",
    ),
    cmdlet(
        "Invoke-CimMethod",
        EXECUTES.and(SYSTEM),
        "ClassName Arguments MethodName",
        "ClassName= Arguments= MethodName= Namespace= Query=",
    ),
    cmdlet(
        "Invoke-WmiMethod",
        EXECUTES.and(SYSTEM),
        "Class Name",
        "Class= Name= ArgumentList= Namespace= Path=",
    ),
    cmdlet("Set-ExecutionPolicy", SYSTEM, "ExecutionPolicy Scope", "ExecutionPolicy= Scope= Force"),
    cmdlet("Stop-Computer", SYSTEM, "ComputerName", "ComputerName= Force"),
    cmdlet("Restart-Computer", SYSTEM, "ComputerName", "ComputerName= Force Wait Timeout="),
    cmdlet("Set-Date", SYSTEM, "Date", "Date= Adjust="),
    cmdlet("Set-TimeZone", SYSTEM, "Name", "Name= Id= PassThru"),
    cmdlet(
        "Start-Service",
        SYSTEM,
        "Name",
        "Name= ServiceName= DisplayName= InputObject= PassThru Include= Exclude=",
    ),
    cmdlet(
        "Stop-Service",
        SYSTEM.and(Effects::KILLS),
        "Name",
        "Name= ServiceName= DisplayName= InputObject= PassThru Force NoWait Include= Exclude=",
    ),
    cmdlet(
        "Restart-Service",
        SYSTEM,
        "Name",
        "Name= ServiceName= DisplayName= InputObject= PassThru Force Include= Exclude=",
    ),
    cmdlet(
        "Set-Service",
        SYSTEM,
        "Name",
        "Name= ServiceName= DisplayName= Description= StartupType= Status= InputObject= PassThru Force",
    ),
    cmdlet(
        "New-Service",
        SYSTEM,
        "Name BinaryPathName",
        "Name= ServiceName= BinaryPathName& DisplayName= Description= StartupType= DependsOn=",
    ),
    cmdlet("Remove-Service", SYSTEM, "Name", "Name= InputObject="),
    cmdlet(
        "Register-ScheduledTask",
        SYSTEM.and(EXECUTES),
        "TaskName",
        "TaskName= TaskPath= Action= Trigger= Settings= Principal= Description= Force",
    ),
    cmdlet(
        "New-NetFirewallRule",
        SYSTEM,
        "",
        "Name= DisplayName= Direction= Action= Protocol= LocalPort= Enabled=",
    ),
    cmdlet("Add-MpPreference", SYSTEM, "", "ExclusionPath= ExclusionProcess= ExclusionExtension= Force"),
    cmdlet("Set-MpPreference", SYSTEM, "", "DisableRealtimeMonitoring= ExclusionPath= Force"),
    cmdlet(
        "New-LocalUser",
        Effects::PERMISSIONS,
        "Name",
        "Name= Password= NoPassword FullName= Description=",
    ),
    cmdlet("Remove-LocalUser", Effects::PERMISSIONS, "Name", "Name="),
    cmdlet("Add-LocalGroupMember", Effects::PERMISSIONS, "Group Member", "Group= Member="),
    cmdlet(
        "Format-Volume",
        SYSTEM.and(DELETES),
        "DriveLetter",
        "DriveLetter= FileSystem= Force NewFileSystemLabel=",
    ),
    cmdlet("Clear-Disk", SYSTEM.and(DELETES), "Number", "Number= RemoveData RemoveOEM"),
    cmdlet("Clear-RecycleBin", DELETES, "DriveLetter", "DriveLetter= Force"),
    cmdlet("Clear-History", DELETES, "Id Count", "Id= Count= Newest CommandLine="),
    cmdlet(
        "Install-Module",
        INSTALLS,
        "Name",
        "Name= Scope= Force AllowClobber Repository= MinimumVersion= RequiredVersion= MaximumVersion= SkipPublisherCheck AcceptLicense AllowPrerelease",
    ),
    cmdlet(
        "Install-PSResource",
        INSTALLS,
        "Name",
        "Name= Version= Scope= Repository= TrustRepository Reinstall Quiet",
    ),
    cmdlet("Install-Script", INSTALLS, "Name", "Name= Scope= Force Repository= RequiredVersion="),
    cmdlet("Install-Package", INSTALLS, "Name", "Name= Force Source= ProviderName= RequiredVersion= Scope="),
    cmdlet("Update-Module", INSTALLS, "Name", "Name= Force Scope= RequiredVersion="),
    cmdlet("Save-Module", WRITES.and(Effects::NETWORK_READ), "Name Path", "Name= Path> Force Repository="),
    cmdlet("Uninstall-Module", DELETES, "Name", "Name= AllVersions Force RequiredVersion="),
    cmdlet("Publish-Module", Effects::PUBLISHES, "Name", "Name= Path< NuGetApiKey= Repository="),
    cmdlet("Get-Clipboard", READS.and(Effects::SECRETS), "", "Raw Format= TextFormatType="),
    cmdlet("Set-Clipboard", SYSTEM, "Value", "Value= Append Path<"),
    cmdlet("Export-PfxCertificate", WRITES.and(Effects::SECRETS), "", "Cert= FilePath> Password= Force"),
    cmdlet(
        "ConvertFrom-SecureString",
        Effects::SECRETS,
        "SecureString",
        "SecureString= AsPlainText Key= SecureKey=",
    ),
    cmdlet("Set-Alias", NONE, "Name Value", "Name= Value= Scope= Option= Force Description= PassThru"),
    cmdlet("New-Alias", NONE, "Name Value", "Name= Value= Scope= Option= Force Description= PassThru"),
    cmdlet("Import-Alias", NONE, "Path", "Path< LiteralPath< Scope= Force"),
    cmdlet(
        "Set-PSBreakpoint",
        EXECUTES,
        "Script Line",
        "Script= Line= Command= Variable= Action= Column= Mode=",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_a_parameter_and_no_name_stands_twice() {
        let all: Vec<&Cmdlet> = [READING, CHANGING].into_iter().flatten().collect();
        for cmdlet in &all {
            for position in cmdlet.positions.split_whitespace() {
                let name = position.trim_end_matches('*');
                let known = cmdlet.parameters.split_whitespace().any(|entry| role(entry).0 == name);
                assert!(known, "{} {position}", cmdlet.name);
            }
            assert_eq!(all.iter().filter(|other| other.name == cmdlet.name).count(), 1, "{}", cmdlet.name);
        }
        assert!(READING.iter().all(|cmdlet| cmdlet.effects.is_harmless()));
    }
}
